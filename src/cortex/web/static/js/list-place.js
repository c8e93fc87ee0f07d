// How far the list had been read when a note was opened from it: {query, shown, top}; for this tab alone.

const PLACE = "cortex.notes-place";

export function keepPlace(place) {
  sessionStorage.setItem(PLACE, JSON.stringify(place));
}

export function keptPlace() {
  return JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
}

export function inSight(element) {
  const box = element.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight;
}
