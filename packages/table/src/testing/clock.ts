/** A clock that stands still until it is moved. */
export class Clock {
  at: Date
  constructor(at = '2026-03-01T12:00:00.000Z') {
    this.at = new Date(at)
  }
  readonly now = (): Date => this.at
  forward(ms: number): void {
    this.at = new Date(this.at.getTime() + ms)
  }
}
