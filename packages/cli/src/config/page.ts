import { fileName } from './config-file.ts'
import { optionOf, type Setting, type SettingTable, saysOf, variableOf } from './setting.ts'
import { groups } from './table.ts'

const commandsOf: Readonly<Record<Setting['of'], string>> = {
  serve: '`serve`',
  table: 'every command that opens a table',
  engine: 'every command that may use the embedded engine',
  service: 'commands that ask a service',
}

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

function takes(setting: Setting): string {
  switch (setting.kind) {
    case 'number':
      return `${setting.least} to ${setting.most}${setting.unit === undefined ? '' : ` ${setting.unit}`}`
    case 'flag':
      return '`true` or `false`'
    case 'choice':
      return setting.choices.map(code).join(', ')
    default:
      return setting.kind
  }
}

function rowOf([name, setting]: readonly [string, Setting]): string {
  const option = optionOf(name, setting)
  const by = [...(option === undefined ? [] : [code(option)]), code(variableOf(name))].join('<br>')
  const unless = setting.default === undefined ? '' : code(String(setting.default))
  return `| ${code(name)} | ${by} | ${saysOf(setting)} | ${takes(setting)} | ${unless} |`
}

function sectionOf(title: string, table: SettingTable): string {
  const uses = [...new Set(Object.values(table).flatMap((setting) => (optionOf('', setting) === undefined ? [] : [setting.of])))]
  const options =
    uses.length === 0 ? 'They have no option.' : `Their options are those of ${uses.map((use) => commandsOf[use]).join(', and of ')}.`
  const rows = Object.entries(table).map(rowOf)
  return [`## ${title}`, '', options, '', '| setting | set by | | takes | default |', '| --- | --- | --- | --- | --- |', ...rows, ''].join(
    '\n',
  )
}

const head = `# Configuration

Every setting of the command, in three places. An option comes before the environment, that before the file, and that before the default.

- **An option** holds for its one command. \`freehold COMMAND --help\` shows the common ones, and this page has all of them.
- **An environment variable** holds for every command. An empty one counts as absent. Words of a list are separated by spaces.
- **The file** is \`${fileName}\` in the working folder, or that of \`--config FILE\` or \`FREEHOLD_CONFIG\`. It is a JSON object with a member for each setting.
  A file that nobody has named may lie in a folder of somebody else: what decides who is believed, what is permitted, what is recorded or where data
  lies is refused in it. Name the file by \`--config\` or \`FREEHOLD_CONFIG\` for that.

\`\`\`json
{ "designs": ["rebac"], "port": 8080, "bodyBytesMax": 65536 }
\`\`\`

\`freehold config\` prints what holds, and from where. \`freehold config bodyBytesMax\` tells about one setting. \`freehold config --schema\` prints the JSON
Schema of the file: name it in the member \`$schema\`, and an editor completes and checks the file.

Every command checks the whole file and all variables of settings. An unknown name is refused with the name that was probably meant, and a wrong value with its
bounds. A variable that begins with \`FREEHOLD_\` and that no part of Freehold reads is told on stderr, with the name that was probably meant. It stops
nothing, since another release may know it. Folders above the working folder are not searched for a file. A path in the file is relative to the file, elsewhere to the working folder. Numbers
have no unit: a name ends with it. A secret comes from its variable alone, since others may read options and files, and \`freehold config\` never shows it.

DynamoDB and credentials have the variables of other programs: [Which DynamoDB](../concepts/operating.md#which-dynamodb).

This page is written by \`npm run docs\`.
`

/** The page of all settings, in Markdown. */
export function configPage(folders: SettingTable): string {
  const all: Readonly<Record<string, SettingTable>> = { ...groups, 'Folders of designs': folders }
  return `${[head, ...Object.entries(all).map(([title, table]) => sectionOf(title, table))].join('\n').trimEnd()}\n`
}
