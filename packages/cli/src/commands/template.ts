import { authorizerCloudFormation, authorizerSam, authorizerTerraform } from '@freehold/authorizer/template'
import { serviceDesign } from '@freehold/service'
import { serviceSam } from '@freehold/service/template'
import { FreeholdError } from '@freehold/table'
import { cloudFormation, hcl, terraform } from '@freehold/table/publish'
import { designNamed } from '../naming/design-named.ts'
import { templateYaml } from '../output/template-yaml.ts'
import { chosenDesigns } from '../serving/chosen-designs.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

export interface TemplateOptions extends PrintOptions {
  readonly format: 'cloudformation' | 'sam' | 'terraform'
  readonly table?: string
  readonly ttl?: boolean
  /** The served designs, of a service. */
  readonly design?: readonly string[]
}

const refuse = (message: string) => new FreeholdError('InvalidInput', message, { issues: [] })

/** The function of the authorizer, which a program's own design of that name hides. */
function ofAuthorizer({ format, table, ttl }: TemplateOptions) {
  if (ttl !== undefined) throw refuse('--ttl is of a table: the authorizer has none of its own.')
  if (format === 'terraform') return { configuration: authorizerTerraform(table) }
  return { formation: format === 'sam' ? authorizerSam(table) : authorizerCloudFormation(table) }
}

/** The whole service: its tables, an API and functions. */
function ofService(shell: Shell, { table, ttl, design }: TemplateOptions) {
  if (table !== undefined) throw refuse('--table names one table: a service has one for each design, and one for its API keys.')
  return { formation: serviceSam(chosenDesigns(shell, { ...(design === undefined ? {} : { design }) }), { ttl }) }
}

function ofDesign(shell: Shell, name: string | undefined, { format, table, ttl }: TemplateOptions) {
  const { design } = designNamed(shell, name)
  if (format === 'sam')
    throw refuse('--format sam is of the authorizer and of the service: a table is deployed by cloudformation or terraform.')
  return format === 'terraform'
    ? { configuration: terraform(design, table, { ttl }) }
    : { formation: cloudFormation(design, table, { ttl }) }
}

/** Prints a template that deploys the table of a design, the authorizer, or the service. All tools also accept JSON. */
export async function template(shell: Shell, [name]: readonly string[], options: TemplateOptions): Promise<Exit> {
  const isAuthorizer = name === 'authorizer' && !shell.designs.has(name)
  const isService = name === serviceDesign.name && options.format === 'sam'
  if (options.design !== undefined && !isService) throw refuse('--design is of the service, with --format sam.')
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
