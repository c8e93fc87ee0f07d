// The Ask and Find pages leave their address for the notes that are opened from them.

export const FROM = "cortex.from";

export function rememberWayBack(address) {
  sessionStorage.setItem(FROM, address);
}
