/** The files that a file imports, by path. */
type Graph = ReadonlyMap<string, readonly string[]>

/** Every circle of a graph: the groups of nodes that all reach each other (Tarjan's strongly connected components), each sorted, in order. */
export function circles(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const found: string[][] = []
  const low = (node: string): number => lowest.get(node) ?? Number.POSITIVE_INFINITY

  const visit = (node: string): void => {
    const start = path.push(node) - 1
    const own = order.size
    order.set(node, own)
    lowest.set(node, own)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (path.includes(next)) lowest.set(node, Math.min(low(node), low(next)))
    }
    if (low(node) < own) return
    const group = path.splice(start)
    if (group.length > 1) found.push(group.sort())
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return found.sort()
}
