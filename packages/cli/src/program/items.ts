import type { Command } from 'commander'
import { type Declaring, examples, once, parseVersion, runs, withDesign, withFolders, withPaging, withTableOrUrl } from './declare.ts'

function withItem(command: Command, json: string): Command {
  return withDesign(withTableOrUrl(command)).argument('<entity>', 'name of an entity').argument('<json>', json)
}

/** A command that may be given twice. */
function withKey(command: Command): Command {
  return command.option('--idempotency-key <key>', 'given again within a day, it is not done a second time', once)
}

const key = 'the attributes of its key'
const ada = '"userId":"01ARZ3NDEKTSV4RRFFQ69G5FAV"'
/** Of a program's own design: the finished ones are written by flows. */
const harbour = '"shopId":"01ARZ3NDEKTSV4RRFFQ69G5FAV"'

/** Declares the commands that read and write items. */
export function declareItems({ program, ...run }: Declaring): void {
  const query = withPaging(
    withDesign(withTableOrUrl(program.command('query').description('run an access pattern of a design')))
      .argument('<pattern>', 'name of an access pattern; `freehold patterns` lists them')
      .argument('[json]', 'its parameters', '{}'),
  )
    .option('--plan', 'print the DynamoDB request instead of sending it')
    .option('--all', 'print every page; --limit is then the size of each')
    .addHelpText(
      'after',
      examples(
        `freehold query rebac locationIdOfCode '{"locationCode":"NYC001"}'`,
        `freehold query rebac groupsOfUser '{${ada}}' --limit 20`,
        'freehold query rebac users --all --json',
        `freehold query rebac permissionsOfRole '{"roleName":"teacher"}' --plan`,
      ),
    )
  runs(run, query, async () => (await import('../commands/query.ts')).query)

  const create = withKey(withItem(program.command('create').description('create an item; never overwrites'), 'its attributes')).addHelpText(
    'after',
    examples(`freehold create shops Shop '{"name":"Harbour"}'`, 'freehold create shops Post - < post.json'),
  )
  runs(run, create, async () => (await import('../commands/create.ts')).create)

  const get = withItem(program.command('get').description('print an item'), key)
    .option('--consistent', 'see every acknowledged write, at twice the cost')
    .option('--secret <name...>', 'secret attributes to print')
    .addHelpText(
      'after',
      examples(
        `freehold get rebac User '{${ada}}'`,
        `freehold get account-management Role '{"id":"0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11"}'`,
      ),
    )
  runs(run, get, async () => (await import('../commands/get.ts')).get)

  const update = withItem(
    program.command('update').description('change attributes of an item; null removes one'),
    `${key}, and those to change`,
  )
    .option('--version <n>', 'only if the item has this version; or "version" in the JSON', parseVersion)
    .addHelpText('after', examples(`freehold update shops Shop '{${harbour},"name":"Old harbour"}' --version 3`))
  runs(run, update, async () => (await import('../commands/update.ts')).update)

  const move = withItem(program.command('move').description('change attributes of an item, including those of its key'), key)
    .argument('<change>', 'the attributes to change; null removes one')
    .option('--version <n>', 'only if the item has this version; or "version" in the key', parseVersion)
    .addHelpText('after', examples(`freehold move shops Post '{"scope":"shop","name":"clerk"}' '{"name":"front desk"}'`))
  runs(run, move, async () => (await import('../commands/move.ts')).move)

  const remove = withItem(program.command('remove').description('remove an item with its dependants'), key)
    .option('--version <n>', 'only if the item has this version; or "version" in the JSON', parseVersion)
    .addHelpText('after', examples(`freehold remove shops Shop '{${harbour}}'`))
  runs(run, remove, async () => (await import('../commands/remove.ts')).remove)

  const doing = withDesign(withTableOrUrl(program.command('do').description('run a flow of a design; a list is printed as lines of JSON')))
    .argument('<flow>', 'name of a flow; `freehold flows` lists them')
    .argument('[json]', 'its input', '{}')
    .option('--as <user>', 'act as this user, by id or e-mail, with only its permissions; by default as an operator', once)
    .option('--session-id <id>', 'the session in which the user acts, for the audit', once)
  withKey(withFolders(run.shell, doing)).addHelpText(
    'after',
    examples(
      `freehold do account-management createClient '{"name":"Acme"}'`,
      `freehold do account-management exportClient '{"id":"0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11"}' --as ada@example.org`,
    ),
  )
  runs(run, doing, async () => (await import('../commands/do.ts')).doFlow)

  const sweep = withDesign(
    withTableOrUrl(program.command('sweep').description('tidy a whole table, and send the reminders that are due; safe at any time')),
    'name of a design that has a flow `sweep`',
  )
    .argument('[json]', 'the input of that flow', '{}')
    .addHelpText('after', examples('freehold sweep account-management', `freehold sweep platform '{"stages":[60,30,7]}'`))
  runs(run, sweep, async () => (await import('../commands/sweep.ts')).sweep)
}
