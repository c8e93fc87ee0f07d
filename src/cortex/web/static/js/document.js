// Entry of a note: filled in next.
