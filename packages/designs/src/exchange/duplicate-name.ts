/** The name that one object of valid JSON has twice: a parser keeps the last in silence, where somebody else may have read the first. */
export function duplicateName(json: string): string | undefined {
  const objects: (Set<string> | undefined)[] = []
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g
  for (const [token, colon] of json.matchAll(tokens)) {
    if (token === '{') objects.push(new Set())
    else if (token === '[') objects.push(undefined)
    else if (token === '}' || token === ']') objects.pop()
    else if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length))
      const names = objects.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
  }
  return undefined
}
