import { Command } from 'commander'

/** Runs the command named by `argv`, the whole of `process.argv`. */
export async function main(argv: readonly string[]): Promise<void> {
  await new Command('freehold')
    .description('A design document that runs')
    .version('0.1.0')
    .parseAsync([...argv])
}
