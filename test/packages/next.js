import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { bundle } from '../bundle.js'

// The guide of a protected route, followed in an empty folder: its files, its commands, and Next.js itself.

const root = fileURLToPath(new URL('../../', import.meta.url))
const versionOf = (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version
// Where `CI` is set, Next.js does not install on its own what the guide forgets.
const environment = { ...process.env, CI: '1', NEXT_TELEMETRY_DISABLED: '1' }

/** The version that is tested. What else the guide installs is as the project has it. */
export const next = 'next@16.4.6'

/** Starts Next.js. @returns its process, and its address once it answers */
async function start(program, argv, cwd) {
  const serving = spawn(program, [...argv, '-H', '127.0.0.1', '-p', '0'], { cwd, env: environment, timeout: 600_000 })
  const address = await new Promise((resolve, reject) => {
    let said = ''
    const hear = (chunk) => {
      said += chunk
      if (said.includes('Ready in')) resolve(/http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0])
    }
    serving.stdout.on('data', hear)
    serving.stderr.on('data', hear)
    serving.on('error', reject)
    serving.on('exit', () => reject(new Error(said)))
  })
  return { serving, address }
}

/** @param archives the file of each package of the project, which is in no registry yet */
export async function followGuide({ archives, run, check }) {
  const { followed, askedBy, told } = await import(await bundle(join(root, 'test/docs/protected-route.ts')))
  const { files, commands } = followed(readFileSync(join(root, 'docs/guides/protected-route.md'), 'utf8'))
  const [entry] = JSON.parse(files.find(({ name }) => name === 'issuers.json').text)
  const asked = await askedBy(entry)
  const folder = mkdtempSync(join(tmpdir(), 'freehold-next-'))
  const pinned = (word) => {
    if (word.startsWith('-')) return word
    return archives.get(word) ?? (next.startsWith(`${word}@`) ? next : `${word}@${versionOf(word)}`)
  }
  const install = (words) => {
    // Whoever installs the command gets the packages beneath it, too.
    const packages = new Set([...words.map(pinned), ...(words.includes('freehold') ? archives.values() : [])])
    return run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...packages], folder)
  }
  let started
  try {
    await check('the guide of a protected route: its commands', async () => {
      for (const { name, text } of files) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), name === 'issuers.json' ? asked.issuers : text)
      }
      for (const [program, command, ...argv] of commands) {
        const file = join(folder, 'node_modules', '.bin', command)
        if (program === 'npm') await install(argv)
        else if (command === 'next' && argv[0] === 'start') started = await start(file, argv, folder)
        else await run(file, argv, folder, environment)
      }
    })
    if (started === undefined) return
    for (const { who, path, token, answer } of await asked.requests())
      await check(`the guide of a protected route: ${who}`, async () => {
        const response = await fetch(
          `${started.address}/${path}`,
          token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
        )
        const found = await told(response)
        if (!isDeepStrictEqual(found, answer)) throw new Error(`It answered ${JSON.stringify(found)}`)
      })
  } finally {
    if (started?.serving.kill()) await once(started.serving, 'exit')
    asked.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
