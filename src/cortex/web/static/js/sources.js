// Entry of the sources: filled in next.
