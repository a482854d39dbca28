import { Argument, type Command, Option } from 'commander'
import { type Declaring, examples, runs, withDesign, withFolders, withPaging, withTableOrUrl } from './declare.ts'

function withConsistency(command: Command): Command {
  return command.addOption(
    new Option('--consistency <level>', 'strong reads everything; bounded may be 5 s old in roles, pages and the like')
      .choices(['strong', 'bounded'])
      .default('bounded'),
  )
}

const question = 'the question'
const here = '"user":"ada@example.org","location":"NYC001"'

/** Declares the five questions that a design answers, and the snapshot of access. */
export function declareQuestions({ program, ...run }: Declaring): void {
  const asking = (command: Command) => withConsistency(withFolders(run.shell, withTableOrUrl(command)))
  const can = withDesign(asking(program.command('can').description('may this user do this here? Exits with 0 for yes, 1 for no')))
    .argument('[json]', question)
    .option('--batch <file>', 'a CSV of questions, whose headers are their fields, or user,permission')
    .option('--location <code>', 'the location of a batch without that column')
    .option('--client <id>', 'the client of a batch without that column')
    .option('--email-domain <domain>', 'the users of a user,permission batch are <name>@<domain>', 'import.example')
    .addHelpText(
      'after',
      examples(
        `freehold can rebac '{${here},"page":"dashboard"}'`,
        'freehold can rebac --batch questions.csv --json',
        'freehold can rebac --batch user-permissions.csv --location HC --email-domain import.example',
        'freehold can account-management --batch user-permissions.csv --client 0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11',
      ),
    )
  runs(run, can, async () => (await import('../commands/can.ts')).can)

  const why = withDesign(asking(program.command('why').description('the items that allow it, or what is missing; exits as can does')))
    .argument('<json>', question)
    .addHelpText('after', examples(`freehold why rebac '{${here},"page":"dashboard"}'`))
  runs(run, why, async () => (await import('../commands/why.ts')).why)

  const lists = [
    ['what', 'what may this user do here?', `{${here}}`],
    ['who', 'who may do this here?', '{"location":"NYC001","page":"dashboard"}'],
    ['where', 'where may this user do this?', '{"user":"ada@example.org","page":"dashboard"}'],
  ] as const
  for (const [name, description, example] of lists) {
    const command = withDesign(withPaging(asking(program.command(name).description(description))))
      .argument('<json>', question)
      .addHelpText('after', examples(`freehold ${name} rebac '${example}'`))
    if (name === 'where') command.option('--expand', 'every scope, not only those that grant it to all scopes below')
    runs(run, command, async () => (await import('../commands/list-answers.ts')).listAnswers(name))
  }

  const cases = asking(
    program.command('cases').description('ask saved questions, and tell which answers are other than expected; exits with 1 for any'),
  )
    .addArgument(new Argument('<verb>', 'what to do').choices(['run']))
    .argument('[files...]', 'the files *.cases.yaml')
    .option('--saved <design>', 'ask those that the console has saved in the table of the service, of this design')
    .addHelpText('after', examples('freehold cases run access.cases.yaml', 'freehold cases run --saved rebac'))
  runs(run, cases, async () => (await import('../commands/cases.ts')).cases)

  const access = withDesign(
    asking(program.command('access').description("a snapshot of a user's permissions, by which a browser shows and hides controls")),
  )
    .argument('<json>', question)
    .option('--lasts <ms>', 'how long it is valid at most, in milliseconds (default: 5000)')
    .option('--evidence', 'the roles and assignments that grant each permission')
    .addHelpText(
      'after',
      examples(
        `freehold access account-management '{"user":"ada@example.org"}' --json`,
        `freehold access account-management '{"user":"ada@example.org","building":"0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11"}' --lasts 60000`,
      ),
    )
  runs(run, access, async () => (await import('../commands/access.ts')).access)
}
