// A position as text, as internal/byhand/position.go writes it, and its place in the address of the page.

/** Numbers of choices in the default order, and keys of others, with a dot between. */
export function positionText(choices: readonly string[]): string {
  const parts: string[] = [];
  for (let i = 0; i < choices.length;) {
    let n = i;
    while (n < choices.length && choices[n] === "") n++;
    if (n > i) {
      parts.push(String(n - i));
      i = n;
    } else {
      parts.push(choices[i] as string);
      i++;
    }
  }
  return parts.join(".");
}

/** What the address names. */
export interface Place { digest: string; under: string; position: string }

/** The part of the address behind #. */
export function hashOf(p: Place): string {
  return `#${p.digest}/${encodeURIComponent(p.under)}/${p.position}`;
}

/** Reads what hashOf wrote, null if it is something else. */
export function placeOf(hash: string): Place | null {
  const parts = hash.replace(/^#/, "").split("/");
  if (parts.length !== 3) return null;
  try {
    return { digest: parts[0] as string, under: decodeURIComponent(parts[1] as string), position: parts[2] as string };
  } catch {
    return null;
  }
}
