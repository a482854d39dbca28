/** A number and what it counts: `1 row`, `2 rows`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}
