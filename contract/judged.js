/** A value without what types of a language change: instants in other forms, members that are null. */
function plain(value) {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/.test(value) ? new Date(value).toJSON() : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  const members = Object.entries(value).filter(([, each]) => each !== null && each !== undefined)
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, each]) => [name, plain(each)]))
}

const isSame = (one, other) => JSON.stringify(plain(one)) === JSON.stringify(plain(other))

/** `answers.0.allowed` of an answer. */
const at = (value, path) => path.split('.').reduce((from, name) => from?.[name], value)

/**
 * What is wrong with an answer that a client got; empty if nothing is. The types of the client have to hold all that is sent and answered.
 * @param told what a program of the client tells: the answer as it came and as its types have it, and the body in the same two forms
 */
export function judged(call, told, client, stderr) {
  if (told === undefined) return `no answer: ${stderr.trim().slice(-400)}`
  const { status, raw, typed, sent } = told
  const wanted = call.status ?? 200
  if (status !== wanted) return `${status}, not ${wanted}: ${JSON.stringify(raw)}`
  for (const [path, value] of Object.entries(call.answer)) {
    const expected = typeof value === 'string' ? value.replaceAll('$client', client) : value
    if (at(typed, path) !== expected)
      return `${path} is ${JSON.stringify(at(typed, path))}, not ${JSON.stringify(expected)}: ${JSON.stringify(raw)}`
  }
  if (!isSame(raw, typed)) return `its types lose something:\n${JSON.stringify(plain(raw))}\n${JSON.stringify(plain(typed))}`
  if (sent && !isSame(sent.given, sent.typed)) return `its types lose something that is sent:\n${JSON.stringify(sent)}`
  return ''
}
