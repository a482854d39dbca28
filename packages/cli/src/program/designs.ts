import { Argument, Option } from 'commander'
import { type Declaring, examples, once, runs, withDesign, withJson, withTable, withTableName, withUrl } from './declare.ts'

/** Declares the commands on a design itself. Only `setup` needs a database. */
export function declareDesigns({ program, ...run }: Declaring): void {
  const designs = withUrl(withJson(program.command('designs').description('list the designs')))
  runs(run, designs, async () => (await import('../commands/designs.ts')).designs)

  const init = withJson(program.command('init').description('write a first design of your own, with a test and a README; never overwrites'))
    .argument('[folder]', 'the folder (default: this one)')
    .addHelpText('after', examples('freehold init', 'freehold init shop'))
  runs(run, init, async () => (await import('../commands/init.ts')).init)

  const keys = withDesign(withJson(program.command('keys').description('print the keys of an item, without a database')))
    .argument('<entity>', 'name of an entity')
    .argument('<json>', 'its attributes; only those of keys are needed, null is absent')
    .addHelpText(
      'after',
      examples(
        `freehold keys rebac EmailIdentity '{"email":"Ada@Example.org"}'`,
        `freehold keys rebac Location '{"locationId":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}' --json`,
      ),
    )
  runs(run, keys, async () => (await import('../commands/keys.ts')).keys)
  const rotate = withTable(
    keys.helpCommand(false).command('rotate').description('put a new data key of `serve` into its file, and encrypt second factors by it'),
  ).option('--kms <arn>', 'key of AWS KMS that wraps it; unless given that of the key before, if it has one')
  runs(run, rotate, async () => (await import('../commands/rotate-data-keys.ts')).rotateDataKeys)

  const patterns = withDesign(
    withUrl(withJson(program.command('patterns').description('list the access patterns of a design'))),
  ).addHelpText('after', examples('freehold patterns rebac', 'freehold patterns rebac --json'))
  runs(run, patterns, async () => (await import('../commands/patterns.ts')).patterns)

  const flows = withDesign(
    withUrl(withJson(program.command('flows').description('list the flows of a design: what can be done, and who may'))),
  )
    .argument('[flow]', 'name of a flow, to see each of its inputs')
    .option('--cost', 'what calls cost: round trips, read and write units, counted on a sample in memory')
    .addHelpText(
      'after',
      examples('freehold flows account-management', 'freehold flows account-management createZone', 'freehold flows rebac --cost'),
    )
  runs(run, flows, async () => (await import('../commands/flows.ts')).flows)

  const prove = withDesign(
    withTable(program.command('prove').description('prove a design: no scan, no collision, nothing left behind')),
  ).addHelpText(
    'after',
    `\nWith --table it also reads that table, and says what it lacks.\n${examples('freehold prove rebac', 'freehold prove rebac --table rebac')}`,
  )
  runs(run, prove, async () => (await import('../commands/prove.ts')).proveDesign)

  const docs = withDesign(
    program.command('docs').description('print a page of Markdown to review a design by: entities, keys, requests, proofs, a picture'),
  ).addHelpText('after', examples('freehold docs rebac > rebac.md'))
  runs(run, docs, async () => (await import('../commands/docs.ts')).docs)

  const lock = withDesign(
    withJson(program.command('lock').description('write DESIGN.lock.json: the design as it is deployed, to commit')),
  ).addHelpText('after', examples('freehold lock --design ./shop.ts'))
  runs(run, lock, async () => (await import('../commands/lock.ts')).lock)

  const diff = withDesign(
    withJson(program.command('diff').description('what differs from DESIGN.lock.json: compatible, needs a backfill, or breaking')),
  )
    .option('--check', 'for CI: exits with 1 unless every difference is compatible')
    .addHelpText('after', examples('freehold diff --design ./shop.ts', 'freehold diff --design ./shop.ts --check'))
  runs(run, diff, async () => (await import('../commands/diff.ts')).diff)

  const policies = withTable(
    program.command('policies').description('begin a folder of Cedar policies, check one, or compare it with a policy store'),
  )
    .addArgument(new Argument('<verb>', 'what to do').choices(['init', 'check', 'push', 'diff', 'pull']))
    .argument('<folder>', 'the folder of *.cedar, links.json, schema.cedarschema and *.cases.yaml')
    .option('--write', 'check: writes the policies as the formatter does')
    .option('--store <id>', 'push, diff, pull: the policy store in Amazon Verified Permissions', once)
    .option('--prune', 'push, diff: deletes also policies that the table does not know')
    .addHelpText('after', examples('freehold policies check policies', 'freehold policies push policies --store PSEXAMPLEabcdefg111111'))
  runs(run, policies, async () => (await import('../commands/policies.ts')).policies)

  const authorizer = withTable(
    program
      .command('authorizer')
      .description('answer an event of a gateway as a deployed authorizer does, or pack what it is deployed with'),
  )
    .addArgument(new Argument('<verb>', 'what to do').choices(['invoke', 'pack']))
    .argument(
      '[file]',
      'invoke: the event of a REST API, an HTTP API or AppSync; pack: the file to write (default: authorizer.packed.json)',
    )
    .option('--map <file>', 'the map of routes and fields', 'authorizer.yaml')
    .option('--policies <folder>', 'the folder of policies (default: policies)', once)
    .option('--store <id>', 'invoke: the policy store that decides, in place of the folder', once)
    .addOption(new Option('--http-answers <form>', 'the answers to an HTTP API').choices(['simple', 'iam']).default('simple'))
    .addHelpText(
      'after',
      examples(
        'freehold authorizer invoke event.json',
        'freehold authorizer pack',
        'freehold authorizer invoke event.json --policies acme/policies',
      ),
    )
  runs(run, authorizer, async () => (await import('../commands/authorizer.ts')).authorizer)

  const formats = ['cloudformation', 'terraform', 'sam']
  const format = new Option('--format <format>', 'the tool that deploys it (default: cloudformation, or sam of a service with --design)')
  const ttl = () => new Option('--ttl', 'with DynamoDB’s TTL also where no item of the design expires: records of idempotency keys do')
  const template = withTableName(
    withJson(
      program.command('template').description("print a design's table, the authorizer or the service as a template to deploy at AWS"),
    ),
  )
    .addOption(format.choices(formats))
    .addOption(ttl())
    .option('--design <name...>', 'service: the designs that it serves (default: all); else the one design, by its file: ./shop.ts')
    .argument('[design]', 'name of a design, authorizer, or service: the table of API keys, with --format sam all that serves')
    .addHelpText(
      'after',
      examples(
        'freehold template rebac > rebac.yaml',
        'freehold template rebac --format terraform > rebac.tf',
        'freehold template service --design rebac > template.yaml',
      ),
    )
  runs(run, template, async () => (await import('../commands/template.ts')).template)

  const setup = withDesign(
    withTable(program.command('setup').description("create a design's table at AWS; elsewhere the first use creates it")).addOption(ttl()),
    'name of a design, or service for the table of API keys',
  ).addHelpText('after', examples('AWS_REGION=eu-central-1 AWS_PROFILE=dev freehold setup rebac --table rebac-dev'))
  runs(run, setup, async () => (await import('../commands/setup.ts')).setup)
}
