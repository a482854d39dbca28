import { cloudFormation, hcl, terraform } from '@freehold/table/publish'
import { designNamed } from '../naming/design-named.ts'
import { templateYaml } from '../output/template-yaml.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

export interface TemplateOptions extends PrintOptions {
  readonly format: 'cloudformation' | 'terraform'
  readonly table?: string
  readonly ttl?: boolean
}

/** Prints a template that deploys the table of a design. Both tools also accept JSON. */
export async function template(shell: Shell, [name]: readonly string[], options: TemplateOptions): Promise<Exit> {
  const { format, table, ttl, json = false } = options
  const { design } = designNamed(shell, name)
  if (format === 'terraform') {
    const configuration = terraform(design, table, { ttl })
    await (json ? printJson(shell, configuration) : shell.out(hcl(configuration)))
  } else {
    const formation = cloudFormation(design, table, { ttl })
    await (json ? printJson(shell, formation) : shell.out(templateYaml(formation)))
  }
  return exit.yes
}
