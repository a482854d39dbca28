/** A design of a program's own, and the file that exports it. */
export interface BundledDesign {
  readonly file: string
  readonly exportedAs: string
}

const imported = ({ file, exportedAs }: BundledDesign, at: number): string => {
  const name = `design${at + 1}`
  const what = exportedAs === 'default' ? name : `{ ${exportedAs} as ${name} }`
  return `import ${what} from ${JSON.stringify(/^\.{0,2}\//.test(file) ? file : `./${file}`)}`
}

/**
 * The module that the functions of a service are bundled from, where it serves designs of a program's own. Without them it is
 * `export { handler, schedule } from '@freehold/service/lambda'`.
 */
export function serviceBundle(designs: readonly BundledDesign[]): string {
  const names = designs.map((_, at) => `design${at + 1}`).join(', ')
  const lines = ["import { deployedFunctions } from '@freehold/service'", ...designs.map(imported), '']
  return [...lines, `export const { handler, schedule } = await deployedFunctions([${names}])`, ''].join('\n')
}
