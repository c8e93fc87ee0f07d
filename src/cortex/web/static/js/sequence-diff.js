// The shortest way from one list of strings to another (Myers, An O(ND) Difference Algorithm, 1986): [{kind: same | del | ins, items}].

// Beyond that many changes nobody reads them one by one.
const MOST = 1000;

export function sequenceDiff(before, after) {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const middle = changes(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  return joined([...run("same", before.slice(0, head)), ...middle, ...run("same", tail ? before.slice(-tail) : [])]);
}

const run = (kind, items) => (items.length ? [{ kind, items }] : []);

function changes(before, after) {
  if (before.length === 0 || after.length === 0) return [...run("del", before), ...run("ins", after)];
  const path = shortestPath(before, after);
  if (!path) return [...run("del", before), ...run("ins", after)];
  const steps = [];
  let [x, y] = [before.length, after.length];
  for (const reached of path.reverse()) {
    const k = x - y;
    const down = k === -reached.d || (k !== reached.d && at(reached, k - 1) < at(reached, k + 1));
    const fromX = reached.d === 0 ? 0 : at(reached, down ? k + 1 : k - 1);
    const fromY = reached.d === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY && before[x - 1] === after[y - 1]) {
      steps.push({ kind: "same", items: [before[x - 1]] });
      x -= 1;
      y -= 1;
    }
    if (reached.d === 0) break;
    steps.push(down ? { kind: "ins", items: [after[y - 1]] } : { kind: "del", items: [before[x - 1]] });
    [x, y] = [fromX, fromY];
  }
  return steps.reverse();
}

const at = ({ d, far }, k) => far[k + d] ?? -1;

// For each number of changes how far each diagonal was reached before it; null when there are too many changes.
function shortestPath(before, after) {
  const most = Math.min(MOST, before.length + after.length);
  const far = new Int32Array(2 * most + 3).fill(-1);
  const middle = most + 1;
  far[middle + 1] = 0;
  const path = [];
  for (let d = 0; d <= most; d += 1) {
    path.push({ d, far: far.slice(middle - d, middle + d + 1) });
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && far[middle + k - 1] < far[middle + k + 1]) ? far[middle + k + 1] : far[middle + k - 1] + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1;
      far[middle + k] = x;
      if (x >= before.length && x - k >= after.length) return path;
    }
  }
  return null;
}

function joined(steps) {
  const runs = [];
  for (const { kind, items } of steps) {
    if (runs.at(-1)?.kind === kind) runs.at(-1).items.push(...items);
    else runs.push({ kind, items: [...items] });
  }
  return runs;
}
