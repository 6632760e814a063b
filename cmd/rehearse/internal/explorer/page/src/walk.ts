// Where one stands: a line of choices that is known, and a place on it. Everything that is shown follows from that.

import * as api from "./api.js";
import { hashOf, placeOf, positionText } from "./position.js";

export class Walk {
  /** The order that is known: going back keeps it, choosing otherwise replaces it. */
  line: api.View | null = null;
  /** The position that is shown. */
  view: api.View | null = null;
  picture = "";
  wantsPicture = false;
  private turn: Promise<void> = Promise.resolve();

  constructor(
    readonly digest: () => string,
    readonly changed: () => void,
    readonly failed: (p: unknown) => void,
    /** Another program than that of digest has answered. */
    readonly anew: () => Promise<void>,
  ) {}

  /** How many choices lead to where one stands. */
  get at(): number { return this.view?.choices?.length ?? 0; }

  /** The choices of the line. */
  get choices(): string[] { return this.line?.choices ?? []; }

  /** Goes to the position that the address names, or to the beginning. The history stays as it is. */
  fromAddress(): Promise<void> {
    const p = placeOf(location.hash);
    return this.inTurn(() => this.ask({ under: p?.under ?? "", position: p?.position ?? "" }, false, false));
  }

  /** Goes to a place on the line. */
  to(n: number): Promise<void> { return this.inTurn(() => this.place(n)); }

  back(): Promise<void> { return this.inTurn(() => this.place(this.at - 1)); }

  /** One step on: along the line, or by the default order where that ends. */
  forward(): Promise<void> {
    return this.inTurn(async () => {
      if (this.at < this.choices.length) await this.place(this.at + 1);
      else if (this.view?.question) await this.take("");
    });
  }

  /** Takes a step that is possible. */
  choose(choice: string): Promise<void> { return this.inTurn(() => this.take(choice)); }

  /** To the end of the line, and by the default order to that of the execution. */
  onward(): Promise<void> {
    return this.inTurn(async () => {
      if (!this.line) return;
      await this.ask({ under: this.line.under, position: positionText(this.choices), onward: true }, false);
    });
  }

  /** On by the default order until there is something to choose. */
  fork(): Promise<void> {
    return this.inTurn(async () => {
      if (this.view?.question) await this.ask({ under: this.view.under, position: this.view.position, fork: true }, false);
    });
  }

  /** Goes where something else leads: a file, a violation, a node of the tree. */
  jump(ask: api.Ask): Promise<void> { return this.inTurn(() => this.ask(ask, false)); }

  /** Shows a position again, say because a picture is wanted by now. */
  again(): Promise<void> {
    return this.inTurn(async () => {
      if (this.view) await this.ask({ under: this.view.under, position: this.view.position }, true);
    });
  }

  /** Does something with the position that is shown when all that was asked for before is done. */
  afterwards(f: () => void): Promise<void> { return this.inTurn(async () => f()); }

  /** Whoever presses a key quickly means one step after the other. */
  private inTurn(f: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(f, f);
    return this.turn;
  }

  private async place(n: number): Promise<void> {
    if (!this.line || n < 0 || n > this.choices.length) return;
    await this.ask({ under: this.line.under, position: positionText(this.choices.slice(0, n)) }, true);
  }

  private async take(choice: string): Promise<void> {
    if (!this.view?.question) return;
    if (this.at < this.choices.length && this.choices[this.at] === choice) return this.place(this.at + 1);
    await this.ask({ under: this.view.under, position: positionText([...(this.view.choices ?? []), choice]) }, false);
  }

  /** Saves the order that leads to where one stands. */
  save(): Promise<api.Told | null> {
    let told: api.Told | null = null;
    return this.inTurn(async () => {
      if (this.view) told = await api.position({ under: this.view.under, position: this.view.position, save: true });
    }).then(() => told);
  }

  private async ask(ask: api.Ask, keepLine: boolean, push = true): Promise<void> {
    try {
      const told = await api.position({ ...ask, picture: this.wantsPicture });
      this.view = told.view;
      this.picture = told.picture;
      if (!keepLine || !this.line || this.at > this.choices.length) this.line = told.view;
      const hash = hashOf({ digest: told.digest, under: told.view.under, position: told.view.position });
      if (hash !== location.hash) {
        if (push) history.pushState(null, "", hash);
        else history.replaceState(null, "", hash);
      }
      this.changed();
      if (told.digest !== this.digest()) await this.anew();
    } catch (p) {
      this.failed(p);
    }
  }
}
