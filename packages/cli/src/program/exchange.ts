import { type Declaring, examples, runs, withDesign, withTable } from './declare.ts'

/** Declares the commands for data in bulk and for background jobs. */
export function declareExchange({ program, ...run }: Declaring): void {
  const importing = withDesign(withTable(program.command('import').description('add the items of a file; a second import changes nothing')))
    .argument('[file]', '.jsonl or .csv of items: Type and attributes, no keys; for rebac also a .csv of people')
    .option('--user-roles <file>', 'a role matrix: CSV with the headers user,role')
    .option('--role-permissions <file>', 'its other half: CSV with the headers role,permission')
    .option('--location <code>', "for rebac, the matrix's location, created if it does not exist")
    .option('--client <id>', "for account-management, the matrix's client")
    .option('--confirm-dangerous', 'for account-management, also grant permissions that its catalogue marks as dangerous')
    .option('--email-domain <domain>', 'users of the matrix get the e-mail address <name>@<domain>', 'import.example')
    .addHelpText(
      'after',
      examples(
        'freehold import platform items.jsonl',
        'freehold import rebac people.csv',
        'freehold import rebac --user-roles user-roles.csv --role-permissions role-permissions.csv --location HC',
        'freehold import account-management --user-roles u.csv --role-permissions r.csv --client 0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11',
      ),
    )
  runs(run, importing, async () => (await import('../commands/import.ts')).importInto)

  const exporting = withDesign(withTable(program.command('export').description('print every item as a line of JSON')))
    .option('--secrets', 'also print secret attributes')
    .addHelpText('after', examples('freehold export rebac > rebac.jsonl'))
  runs(run, exporting, async () => (await import('../commands/export.ts')).exportAll)

  const adopting = withDesign(
    withTable(program.command('adopt').description('add what items of another program lack: guards, lookup items, additions')),
  ).addHelpText('after', examples('freehold adopt rebac', 'freehold adopt rebac --table people --json'))
  runs(run, adopting, async () => (await import('../commands/adopt.ts')).adopt)

  const migrating = withDesign(
    withTable(program.command('migrate').description('make a table what its design has become: indexes, items, guards, lookup items')),
  )
    .option('--dry-run', 'say what would be done, with its request units')
    .option('--final', 'once no program of a former version runs: also remove what only that needs')
    .addHelpText('after', examples('freehold migrate --design ./shop.ts --dry-run', 'freehold migrate --design ./shop.ts --final'))
  runs(run, migrating, async () => (await import('../commands/migrate.ts')).migrate)

  const jobs = withDesign(
    withTable(program.command('jobs').description('list removals, renames and jobs of flows that are running or were left behind')),
  )
    .option('--resume', 'finish those that were left behind, once no process works on them')
    .addHelpText('after', examples('freehold jobs rebac', 'freehold jobs rebac --resume'))
  runs(run, jobs, async () => (await import('../commands/jobs.ts')).jobs)
}
