// What the page is made of. Text is set as text and never as markup: names and contents come from a program that is not
// trusted.

type Attributes = { [name: string]: string | boolean };

/** An element with attributes and children. Strings become text. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) e.setAttribute(name, "");
    else if (value !== false) e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}

/** The element of the page with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const e = document.getElementById(id);
  if (!e) throw new Error(`the page has no ${id}`);
  return e as T;
}

/** Puts children in the place of those of an element. */
export function fill(e: Element, ...children: (Node | string)[]): void {
  e.replaceChildren(...children);
}

/** A button that calls f. */
export function button(label: string, f: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const b = el("button", { type: "button", ...attributes }, label);
  b.addEventListener("click", f);
  return b;
}

/** "1 step", "1,000 steps". */
export function count(n: number, one: string, many: string): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}
