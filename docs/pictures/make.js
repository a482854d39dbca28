// Makes the pictures of the README and of the guide to the console: `npm run pictures`, with Chromium and `script` on the path. It starts the service on data of its own.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const here = import.meta.dirname
const command = join(here, '../../packages/cli/bin/freehold.js')
const folder = mkdtempSync(join(tmpdir(), 'freehold-pictures-'))
const port = 3000
const columns = 118

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A terminal with these lines, as text that can be searched. */
function terminal(text) {
  const lines = text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'g')) ?? [''])
  const [size, step, edge] = [13, 18, 16]
  const rows = lines.map((line, index) => `<text x="${edge}" y="${edge + step * (index + 1)}" xml:space="preserve">${escaped(line)}</text>`)
  const [width, height] = [Math.ceil(columns * size * 0.602 + 2 * edge), step * lines.length + 3 * edge]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>The terminal after npm start</title>
<rect width="100%" height="100%" rx="8" fill="#16181d"/>
<g fill="#d8dee9" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${size}">
${rows.join('\n')}
</g>
</svg>
`
}

// `script` gives it a terminal of its own: on a pipe it would write the key into a file.
const line = `stty cols ${columns}; exec '${process.execPath}' '${command}' serve --port ${port}`
const server = spawn('script', ['-qefc', line, '/dev/null'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
try {
  let out = ''
  for await (const chunk of server.stdout) {
    out += String(chunk).replaceAll('\r', '')
    if (/#open=\S+\n/.test(out)) break
  }
  const [key] = /fhk_[\w-]+/.exec(out) ?? []
  const [link, secret] = /http:\S+#open=(fhl_\w+_\w+_[\w-]+)/.exec(out) ?? []
  const shown = out.replace(/^\{.*\n/gm, '').replaceAll(join(folder, '.freehold'), '~/freehold/.freehold')
  const told = shown.replaceAll(key, `${key.slice(0, 12)}…`).replaceAll(secret, `${secret.slice(0, 12)}…`)
  writeFileSync(join(here, 'terminal.svg'), terminal(`$ npm ci && npm start\n\n${told.trimEnd()}`))
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
  const page = await browser.newPage({ viewport: { width: 1280, height: 1120 }, timezoneId: 'UTC' })
  await page.goto(link)
  await page.getByRole('button', { name: 'May Grace reboot the camera at Pier 4?' }).click()
  await page.getByRole('heading', { name: 'Yes' }).waitFor()
  // The names of the steps are read one by one.
  await page.getByText('Grace', { exact: true }).nth(1).waitFor()
  for (const name of ['Pier 4', 'caretaker']) await page.getByRole('listitem').getByText(name, { exact: true }).first().waitFor()
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(here, 'page.png') })
  await page.getByRole('link', { name: 'Ask' }).click()
  await page.getByRole('button', { name: /^Why may Tom/ }).click()
  await page.getByRole('button', { name: 'Assign role' }).click()
  await page.getByRole('button', { name: 'expires at: in a week' }).click()
  await page.getByRole('dialog').getByText('Pier 4', { exact: true }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(here, 'flow.png') })
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByLabel('An id, an address, a name, or what to do').fill('tom@acme.example')
  await page.getByRole('option', { name: /Tom/ }).waitFor()
  await page.screenshot({ path: join(here, 'go-to.png') })
  await browser.close()
} finally {
  server.kill('SIGINT')
  await new Promise((resolve) => server.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
}
