import type { DecisionLine, Purpose } from '@freehold/service'
import { Option } from 'commander'
import { withSettings } from '../config/options.ts'
import { settingTable } from '../config/table.ts'
import {
  type Declaring,
  examples,
  once,
  parseDuration,
  parseInstant,
  parseLimit,
  parsePort,
  runs,
  withConfig,
  withEngine,
  withFolders,
  withJson,
  withTable,
  withTableOrUrl,
  withUrl,
} from './declare.ts'

/** Named here, so that help loads no HTTP server. */
const outcomes = Object.keys({ allowed: 0, denied: 0, listed: 0, fault: 0 } satisfies Record<DecisionLine['outcome'], 0>)
const purposes = Object.keys({ operator: 0, tenant: 0, decisions: 0, read: 0, flows: 0, application: 0 } satisfies Record<Purpose, 0>)

/** Declares the commands that run until they are stopped, and the one for API keys. */
export function declareServers({ program, ...run }: Declaring): void {
  const local = withEngine(program.command('local').description('give the embedded engine to any DynamoDB client'))
    .option('--port <n>', 'the port of 127.0.0.1 (default: a free one)', parsePort)
    .option('--memory', 'keep the data in memory, until it ends')
    .addHelpText('after', examples('freehold local', 'freehold local --memory --port 8001'))
  runs(run, local, async () => (await import('../commands/local.ts')).local)

  const backup = withEngine(withJson(program.command('backup').description("copy the embedded engine's data while it is written")))
    .argument('<file>', 'a new file')
    .addHelpText('after', examples('freehold backup monday.mdb'))
  runs(run, backup, async () => (await import('../commands/backup.ts')).backup)

  const opened = withFolders(run.shell, withTable(program.command('serve').description('answer over HTTP')))
  const serve = withSettings(settingTable, withConfig(opened), 'serve')
    .option('--memory', 'keep the data in memory, until it ends')
    .option('--new-key', 'create another API key and print it')
    .addHelpText('after', '\nEvery limit and patience is an option, too, such as --body-bytes-max: `freehold config` lists them.')
    .addHelpText(
      'after',
      examples('freehold serve', 'freehold serve --port 8080 --data /var/lib/freehold', 'freehold serve --design rebac --table rebac-dev'),
    )
  runs(run, serve, async () => (await import('../commands/serve.ts')).serve, 'itself')

  const config = withConfig(withJson(program.command('config').description('print the settings that hold here, and from where each comes')))
    .argument('[setting]', 'the name of one, to see its bounds and how it is set')
    .option('--schema', 'print the JSON Schema of the file, for editors')
    .option('--docs', 'print a page of Markdown with every setting')
    .addHelpText('after', examples('freehold config', 'freehold config bodyBytesMax', 'freehold config --schema > freehold.schema.json'))
  runs(run, config, async () => (await import('../commands/config.ts')).config, 'itself')

  const outbox = withUrl(
    withEngine(withJson(program.command('outbox').description('list the mails that stay in a trial instead of being sent, or print one'))),
  )
    .argument('[id]', 'the id of a mail')
    .option('--limit <n>', 'the number of mails, from 1 to 1000 (default: all that are kept)', parseLimit)
    .addHelpText('after', examples('freehold outbox', 'freehold outbox --limit 5 --json'))
  runs(run, outbox, async () => (await import('../commands/outbox.ts')).outbox)

  const decisions = withConfig(withJson(program.command('decisions').description('search a decision log of `serve`')))
    .argument('[file]', 'the file (default: that of the setting decisionLog)')
    .option('--user <user>', 'only of this user, as it was asked for', once)
    .addOption(new Option('--outcome <outcome>', 'only with this outcome').choices(outcomes))
    .option('--design <name>', 'only of this design', once)
    .option('--question <name>', 'only this question: can, why, what, who, where or access', once)
    .option('--request <id>', 'only of the request with this id', once)
    .option('--since <instant>', 'from then on: 2026-01-31T12:00:00Z, or 90d, 12h or 30m ago', parseInstant)
    .option('--until <instant>', 'before then', parseInstant)
    .option('--limit <n>', 'the last lines of the table, from 1 to 1000 (default: 100); the first of --json (default: all)', parseLimit)
    .addHelpText(
      'after',
      examples('freehold decisions decisions.jsonl --outcome denied --since 1h', 'freehold decisions --user ada@example.org --json'),
    )
  runs(run, decisions, async () => (await import('../commands/decisions.ts')).decisions)

  const apiKeys = withTableOrUrl(program.command('api-keys').description('list the API keys of `serve`; make, replace or revoke one'))
    .addOption(new Option('--new <name>', 'make a key, and print it').conflicts(['rotate', 'revoke']))
    .addOption(new Option('--purpose <purpose>', 'what the new key is for (default: operator)').choices(purposes))
    .option('--design <name...>', 'the designs that it may use (default: all)')
    .option('--tenant <id>', 'the tenant of a key with the purpose tenant or application', once)
    .option('--flow <name...>', 'the flows that an application may run as users (default: none)')
    .option('--expires <duration>', 'how long it is accepted: 90d, 12h or 30m (default: until it is revoked)', parseDuration)
    .addOption(new Option('--rotate <id>', 'replace this key by a new one with its limits, and print that').conflicts(['new', 'revoke']))
    .option('--overlap <duration>', 'how long the replaced key is still accepted (default: 24h)', parseDuration)
    .addOption(new Option('--revoke <id>', 'the key to refuse from now on').conflicts(['new', 'rotate']))
    .addHelpText(
      'after',
      examples(
        'freehold api-keys',
        'freehold api-keys --new gate --purpose decisions --design rebac --expires 90d',
        'freehold api-keys --rotate 01ARZ3NDEKTSV4RRFFQ69G5FAV --overlap 24h',
        'freehold api-keys --revoke 01ARZ3NDEKTSV4RRFFQ69G5FAV',
      ),
    )
  runs(run, apiKeys, async () => (await import('../commands/api-keys.ts')).apiKeys)

  const console = withTableOrUrl(
    program.command('console').description('print a link that opens the console of `serve` once, on this machine'),
  ).addHelpText('after', examples('freehold console', 'freehold console --url http://127.0.0.1:8080'))
  runs(run, console, async () => (await import('../commands/console.ts')).console)
}
