// Messages and switches for keyboards and screen readers: buttons over the drawing, which pointers pass through. Tab leads to the
// messages, then to the switches; the arrows up and down lead from one to the next.

/** Of more nobody wants to hear each; nearer, only those in view are there. */
const MOST_THINGS = 300;

class Things {
  /** `player` has the drawing, its kind and the step; `choose` is called with what is pressed. */
  constructor(player, groups) {
    this.player = player;
    this.groups = groups.map((element) => ({ element, buttons: new Map(), current: null }));
    for (const group of this.groups) {
      group.element.addEventListener("keydown", (event) => this.key(group, event));
      group.element.addEventListener("focusin", (event) => { group.current = event.target.dataset.key; this.rove(group); });
      group.element.addEventListener("click", (event) => { if (group.buttons.has(event.target.dataset.key)) player.choose(group.buttons.get(event.target.dataset.key).chosen); });
    }
  }

  /** The arrows up and down. */
  key(group, event) {
    const keys = [...group.buttons.keys()];
    const to = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (to === undefined || keys.length === 0) return;
    event.preventDefault();
    const at = keys.indexOf(group.current) + to;
    group.buttons.get(keys[(at + keys.length) % keys.length]).button.focus();
  }

  /** One of a group is on the way of the Tab key. */
  rove(group) {
    if (!group.buttons.has(group.current)) group.current = group.buttons.keys().next().value;
    for (const [key, { button }] of group.buttons) button.tabIndex = key === group.current ? 0 : -1;
  }

  /** While it plays there are none. */
  clear() {
    const focused = this.groups.some(({ element }) => element.contains(document.activeElement));
    for (const group of this.groups) this.fill(group, []);
    if (focused) byId("play").focus();
  }

  update() {
    this.fill(this.groups[0], this.messages());
    this.fill(this.groups[1], this.boxes());
  }

  /** The messages of the step, one after the other: a large network has more than anybody asks for. */
  *messages() {
    const { drawing, kind, step } = this.player;
    for (const token of drawing.tokens(step)) {
      const [x, y] = kind.place(token, REST);
      const chosen = { message: kind.key(token) };
      yield { key: `m${chosen.message}`, chosen, label: () => kind.messageLabel(token), at: [x - 9, y - 9, 18, 18] };
    }
  }

  *boxes() {
    const { drawing, kind, step } = this.player;
    for (const [box, { x, y, width, height }] of drawing.scene.boxes.entries()) {
      yield { key: `b${box}`, chosen: { box }, label: () => kind.boxLabel(box, step), at: [x, y, width, height] };
    }
  }

  /** What is to be seen becomes the group's buttons; the focus stays on what had it. */
  fill(group, things) {
    const focused = group.element.contains(document.activeElement) ? group.current : null;
    const { scale, x: left, y: top, canvas } = this.player.drawing;
    const place = ({ at: [x, y, width, height] }) => [x * scale + left, y * scale + top, width * scale, height * scale];
    const seen = (thing) => {
      const [x, y, width, height] = place(thing);
      return x + width > 0 && y + height > 0 && x < canvas.clientWidth && y < canvas.clientHeight;
    };
    const buttons = new Map();
    for (const thing of things) {
      if (buttons.size === MOST_THINGS) break;
      const label = seen(thing) ? thing.label() : null;
      if (label === null || buttons.has(thing.key)) continue;
      const button = group.buttons.has(thing.key) ? group.buttons.get(thing.key).button : Object.assign(document.createElement("button"), { type: "button" });
      button.dataset.key = thing.key;
      button.setAttribute("aria-label", label);
      ["left", "top", "width", "height"].forEach((side, at) => { button.style[side] = `${place(thing)[at].toFixed(1)}px`; });
      buttons.set(thing.key, { button, chosen: thing.chosen });
    }
    group.buttons = buttons;
    group.element.replaceChildren(...[...buttons.values()].map(({ button }) => button));
    this.rove(group);
    if (focused !== null && buttons.size > 0) buttons.get(group.current).button.focus({ preventScroll: true });
  }
}
