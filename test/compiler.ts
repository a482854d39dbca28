import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

export interface Diagnostic {
  readonly file: string
  readonly line: number
  /** The whole message, with the lines that explain it. */
  readonly message: string
}

export interface Compilation {
  readonly diagnostics: readonly Diagnostic[]
  /** How often the compiler instantiated a type: what a design costs whoever edits it. Exact, where times are not. */
  readonly instantiations: number
}

/**
 * Compiles source texts, each under its own file name, or files of the project by their path from the root, with the project's own
 * strictness. Texts import the project's files by paths from the root: `#root/packages/table/src/language.ts`.
 */
export async function compile(of: {
  readonly texts?: Readonly<Record<string, string>>
  readonly files?: readonly string[]
}): Promise<Compilation> {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-compile-'))
  try {
    for (const [name, text] of Object.entries(of.texts ?? {})) await writeFile(join(folder, name), text.replaceAll('#root', root))
    const config = {
      extends: join(root, 'tsconfig.test.json'),
      compilerOptions: {
        rootDir: '/',
        rewriteRelativeImportExtensions: false,
        allowImportingTsExtensions: true,
        typeRoots: [join(root, 'node_modules', '@types')],
        paths: { '@freehold/*': [join(root, 'packages', '*', 'src', 'index.ts')] },
      },
      include: [],
      files: [...Object.keys(of.texts ?? {}), ...(of.files ?? []).map((file) => join(root, file))],
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    // One checker, as in an editor: several would each instantiate what they share.
    const printed = await run([tsc, '-p', folder, '--singleThreaded', '--extendedDiagnostics', '--pretty', 'false'], folder)
    return { diagnostics: parseDiagnostics(printed), instantiations: Number(/^Instantiations:\s+(\d+)/m.exec(printed)?.[1]) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function run(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      // The compiler exits with a number where it finds errors, which are what is asked for; anything else did not run.
      if (error !== null && typeof error.code !== 'number') reject(error)
      else if (!/^Instantiations:/m.test(stdout)) reject(new Error(`tsc did not compile: ${stdout}${stderr}`))
      else resolve(stdout)
    })
  })
}

function parseDiagnostics(printed: string): Diagnostic[] {
  const found: { file: string; line: number; message: string }[] = []
  for (const line of printed.split('\n')) {
    const [, file, number, message] = /^(.+)\((\d+),\d+\): error TS\d+: (.*)$/.exec(line) ?? []
    const last = found.at(-1)
    if (file !== undefined && message !== undefined) found.push({ file, line: Number(number), message })
    else if (last !== undefined && line.startsWith(' ')) last.message += `\n${line}`
  }
  return found
}
