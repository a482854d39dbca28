import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** The root of this work tree. */
export const ownTree = dirname(dirname(dirname(import.meta.dirname)))

/** A commit that is checked out and built, until it is removed. */
export interface BuiltTree {
  readonly tree: string
  /** The commit's short name and its subject. */
  readonly name: string
  remove(): Promise<void>
}

/** Ends a program with all that it has started: a compiler that goes on would write into a folder that is being removed. */
function endWithAll({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid)
  } catch {
    // It has ended by itself.
  }
}

/** Runs a program to its end and gives what it printed. Throws where it fails, and once it has ended where `signal` ends it. */
async function run(program: string, parameters: readonly string[], cwd: string, signal?: AbortSignal): Promise<string> {
  signal?.throwIfAborted()
  // A group of its own, which can be ended as a whole.
  const child = spawn(program, parameters, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const end = () => endWithAll(child)
  signal?.addEventListener('abort', end)
  const printed = { out: '', all: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    printed.out += chunk
    printed.all += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    printed.all += chunk
  })
  try {
    const [code] = await once(child, 'close')
    signal?.throwIfAborted()
    if (code !== 0) throw new Error(`${program} ${parameters.join(' ')} failed:\n${printed.all.trim()}`)
    return printed.out.trim()
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

const isSame = async (one: string, other: string) => {
  const [own, others] = await Promise.all([one, other].map((file) => readFile(file).catch(() => undefined)))
  return own !== undefined && others !== undefined && own.equals(others)
}

/** Links each installed package where the other tree looks for it; those of the workspace are linked to the other tree's own. */
async function linkInstalled(from: string, to: string, tree: string): Promise<void> {
  await mkdir(to, { recursive: true })
  const own = await realpath(ownTree)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const installed = join(from, entry.name)
    const link = join(to, entry.name)
    if (entry.name.startsWith('@')) {
      await linkInstalled(installed, link, tree)
      continue
    }
    const real = await realpath(installed)
    const isOwn = dirname(real) === join(own, 'packages')
    await symlink(isOwn ? join(tree, relative(own, real)) : real, link)
  }
}

/** Links what this tree has installed where the other's lock file says the same, and installs it where not. */
async function install(tree: string, signal: AbortSignal): Promise<void> {
  const lock = 'package-lock.json'
  if (await isSame(join(ownTree, lock), join(tree, lock)))
    await linkInstalled(join(ownTree, 'node_modules'), join(tree, 'node_modules'), tree)
  else await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], tree, signal)
}

/**
 * Checks a commit out into a folder of its own beneath the system's temporary one, and builds it. Nothing is left behind where that fails.
 * Throws what git, npm or the compiler say.
 */
export async function buildCommit(commit: string, signal: AbortSignal): Promise<BuiltTree> {
  const id = await run('git', ['rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`], ownTree)
  const name = await run('git', ['log', '-1', '--format=%h %s', id], ownTree)
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'freehold-compare-')))
  const tree = join(folder, 'tree')
  const remove = async () => {
    await run('git', ['worktree', 'remove', '--force', tree], ownTree).catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await run('git', ['worktree', 'add', '--detach', tree, id], ownTree)
    await install(tree, signal)
    await run(process.execPath, [join(tree, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'], tree, signal)
    return { tree, name, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
