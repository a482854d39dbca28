import { authorizerCloudFormation, authorizerSam, authorizerTerraform } from '@freehold/authorizer/template'
import { designModules } from '@freehold/designs'
import type { DesignModule } from '@freehold/frame'
import { serviceDesign } from '@freehold/service'
import { serviceBundle, serviceSam } from '@freehold/service/template'
import { cloudFormation, hcl, terraform } from '@freehold/table/publish'
import { invalid } from '../input/invalid.ts'
import { designNamed } from '../naming/design-named.ts'
import { templateYaml } from '../output/template-yaml.ts'
import { chosenDesigns } from '../serving/chosen-designs.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

export interface TemplateOptions extends PrintOptions {
  readonly format?: 'cloudformation' | 'sam' | 'terraform'
  readonly table?: string
  readonly ttl?: boolean
  /** The served designs, of a service. Else the one design, in place of the operand. */
  readonly design?: readonly string[]
}

/** The function of the authorizer, which a program's own design of that name hides. */
function ofAuthorizer({ format, table, ttl }: TemplateOptions) {
  if (ttl !== undefined) throw invalid('--ttl is of a table: the authorizer has none of its own.')
  if (format === 'terraform') return { configuration: authorizerTerraform(table) }
  return { formation: format === 'sam' ? authorizerSam(table) : authorizerCloudFormation(table) }
}

/** The whole service: its tables, an API and functions. */
function ofService(shell: Shell, { table, ttl, design }: TemplateOptions) {
  if (table !== undefined) throw invalid('--table names one table: a service has one for each design, and one for its API keys.')
  const served = chosenDesigns(shell, { ...(design === undefined ? {} : { design }) })
  return { formation: serviceSam(served, { ttl, bundle: bundleOf(shell, served) }) }
}

/** The module that a service of these designs is the bundle of. Finished designs have theirs in the package. */
function bundleOf({ designFiles = new Map() }: Shell, served: readonly DesignModule[]): string | undefined {
  const own = served.filter(({ design }) => !designModules.has(design.name) || designFiles.has(design.name))
  if (own.length === 0) return undefined
  const imported = own.map(({ design: { name } }) => {
    const file = designFiles.get(name)
    if (file === undefined)
      throw invalid(`The bundle of a service needs the file of ${name}: name it by --design, such as --design ./${name}.ts.`)
    return file
  })
  return serviceBundle(imported)
}

function ofDesign(shell: Shell, name: string | undefined, { format, table, ttl }: TemplateOptions) {
  const { design } = designNamed(shell, name)
  if (format === 'sam')
    throw invalid('--format sam is of the authorizer and of the service: a table is deployed by cloudformation or terraform.')
  return format === 'terraform'
    ? { configuration: terraform(design, table, { ttl }) }
    : { formation: cloudFormation(design, table, { ttl }) }
}

/** Prints a template that deploys the table of a design, the authorizer, or the service. All tools also accept JSON. */
export async function template(shell: Shell, [operand]: readonly string[], given: TemplateOptions): Promise<Exit> {
  const [only, ...others] = given.design ?? []
  const name = operand ?? (others.length === 0 ? only : undefined)
  if (name === undefined) throw invalid('A design is missing: `freehold help template` has examples.')
  const isAuthorizer = name === 'authorizer' && !shell.designs.has(name)
  const isOfService = name === serviceDesign.name
  const options = { ...given, format: given.format ?? (isOfService && given.design !== undefined ? 'sam' : 'cloudformation') } as const
  const isService = isOfService && options.format === 'sam'
  if (operand !== undefined && options.design !== undefined && !isService) throw invalid('--design is of the service, with --format sam.')
  const { configuration, formation } = {
    configuration: undefined,
    formation: undefined,
    ...(isAuthorizer ? ofAuthorizer(options) : isService ? ofService(shell, options) : ofDesign(shell, name, options)),
  }
  if (options.json === true) await printJson(shell, configuration ?? formation)
  else if (configuration !== undefined) await shell.out(hcl(configuration))
  else if (formation !== undefined) await shell.out(templateYaml(formation))
  return exit.yes
}
