/** All items of a list, as they are to be kept. */
export async function collected<T, R>(items: AsyncIterable<T>, keep: (item: T) => R): Promise<readonly R[]> {
  const all: R[] = []
  for await (const item of items) all.push(keep(item))
  return all
}
