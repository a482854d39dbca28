/** A server that always has something to do ends all the same. */
const turns_max = 100
/** In a longer turn somebody may have connected after Node looked. */
const short_ms = 0.1

/**
 * Calls at the end of a short turn of the event loop in which nobody has connected. The system has accepted connections before Node does, and resets those that Node
 * has not taken when the port is closed: a port that is closed now resets none, or hardly ever one.
 * @param accepted the number of connections that Node has accepted
 */
export function atQuietTurn(accepted: () => number, call: () => void): void {
  let [turns, seen, before_ms] = [0, -1, 0]
  const look = () => {
    const now_ms = performance.now()
    if (++turns > turns_max || (turns > 1 && seen === accepted() && now_ms - before_ms < short_ms)) return call()
    seen = accepted()
    before_ms = now_ms
    setImmediate(look)
  }
  // The turn of the caller may have looked before the call.
  setImmediate(look)
}
