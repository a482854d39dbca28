import type { AnyDesign } from '@freehold/table'
import type { DesignModule } from './design-module.ts'

const isDesign = (value: unknown): value is AnyDesign => Object(value).form?.entities instanceof Map

/** A design of a program's own as a module; undefined for a value that is neither. A design alone has neither flows nor decisions. */
export function moduleOf(own: unknown): DesignModule | undefined {
  if (isDesign(own)) return { design: own, summary: own.description ?? `The design ${own.name}.` }
  const { design } = Object(own)
  // A module is known by its design. Its other members are checked where they are used.
  return isDesign(design) ? ({ summary: design.description ?? `The design ${design.name}.`, ...Object(own) } as DesignModule) : undefined
}

/** A module, and the name by which its file exports it. */
export interface ExportedModule {
  readonly module: DesignModule
  readonly exportedAs: string
}

/**
 * The module of a file: its default export, or the one that it exports by name. A module is meant rather than the design of it, which a file often
 * exports, too. Several are as good as none, since nobody has said which is meant: their names are returned.
 */
export function exportedModule(exports: Readonly<Record<string, unknown>>): ExportedModule | { readonly candidates: readonly string[] } {
  const all = Object.entries(exports).flatMap(([exportedAs, value]) => {
    const module = moduleOf(value)
    return module === undefined ? [] : [{ exportedAs, module, isWhole: !isDesign(value) }]
  })
  const given = all.find(({ exportedAs }) => exportedAs === 'default')
  if (given !== undefined) return given
  const modules = all.filter(({ isWhole }) => isWhole)
  const candidates = modules.length > 0 ? modules : all
  const [first, second] = candidates
  return first !== undefined && second === undefined ? first : { candidates: candidates.map(({ exportedAs }) => exportedAs) }
}
