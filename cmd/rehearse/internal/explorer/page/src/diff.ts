// What differs: the fields of an actor before and after a step, and the steps of two orders.

import type { Actor, Field, Step } from "./api.js";

export interface FieldChange { path: string; before: string | null; after: string | null }

/** All fields of both, in the order of the second, those that are gone at the end. */
export function fieldChanges(before: Field[] | null, after: Field[] | null): FieldChange[] {
  const old = new Map((before ?? []).map(f => [f.path, f.value]));
  const changes: FieldChange[] = [];
  for (const f of after ?? []) {
    changes.push({ path: f.path, before: old.get(f.path) ?? null, after: f.value });
    old.delete(f.path);
  }
  for (const [path, value] of old) changes.push({ path, before: value, after: null });
  return changes;
}

/** How an actor stands, in words; "" if there is nothing to say. */
export function standing(a: Actor): string {
  if (a.crashed) return "crashed";
  if (a.stopped) return "stopped";
  if (a.blocked) return "waits for " + (a.awaits || "something");
  return "";
}

/** Whether a step has a number of its own: the start, a release and a choice of Go's are parts of a step (trace.Counted). */
export function counted(s: Step): boolean { return !["start", "send", "draw"].includes(s.kind); }

/** The number of a step as it is shown, "" for a part of one. */
export function numberText(s: Step): string { return counted(s) ? String(s.number) : ""; }

export interface Pair { left: Step | null; right: Step | null }

/** The most that are compared step by step, as a product of lengths. */
const mostCells = 4_000_000;

/**
 * The steps of two orders, those that are the same beside each other: a longest common subsequence. exact is false
 * where the orders are too long for that, and only their beginnings and ends were compared.
 */
export function align(left: Step[], right: Step[]): { pairs: Pair[]; exact: boolean } {
  let from = 0;
  while (from < left.length && from < right.length && left[from]?.id === right[from]?.id) from++;
  let l = left.length, r = right.length;
  while (l > from && r > from && left[l - 1]?.id === right[r - 1]?.id) { l--; r--; }
  const pairs: Pair[] = [];
  for (let i = 0; i < from; i++) pairs.push({ left: left[i] ?? null, right: right[i] ?? null });
  const a = left.slice(from, l), b = right.slice(from, r);
  const exact = a.length * b.length <= mostCells;
  pairs.push(...(exact ? common(a, b) : apart(a, b)));
  for (let i = 0; l + i < left.length; i++) pairs.push({ left: left[l + i] ?? null, right: right[r + i] ?? null });
  return { pairs, exact };
}

function apart(a: Step[], b: Step[]): Pair[] {
  return [...a.map(s => ({ left: s, right: null })), ...b.map(s => ({ left: null, right: s }))];
}

function common(a: Step[], b: Step[]): Pair[] {
  const width = b.length + 1;
  const length = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => length[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] = a[i]?.id === b[j]?.id ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: Pair[] = [];
  let i = 0, j = 0;
  while (i < a.length && j < b.length) {
    if (a[i]?.id === b[j]?.id) pairs.push({ left: a[i++] ?? null, right: b[j++] ?? null });
    else if (at(i + 1, j) >= at(i, j + 1)) pairs.push({ left: a[i++] ?? null, right: null });
    else pairs.push({ left: null, right: b[j++] ?? null });
  }
  return [...pairs, ...apart(a.slice(i), b.slice(j))];
}
