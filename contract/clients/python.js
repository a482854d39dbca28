import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callsOf, pascal, snake } from '../documents.js'
import { python, ranPython } from '../tools.js'

const runner = readFileSync(new URL('told.py', import.meta.url), 'utf8')
const text = (value) => JSON.stringify(JSON.stringify(value))

/** A name that no package of Python's own has, as `platform` is one. */
const packageOf = (design) => `freehold_${snake(design)}`

/** Each module of a package is imported, as its compiler does with other languages. */
const importing = (name) => `import importlib, pkgutil, ${name}
for each in pkgutil.walk_packages(${name}.__path__, "${name}."):
    importlib.import_module(each.name)
`

const argumentsOf = ({ query = {}, headers = {} }) =>
  Object.entries({ ...query, ...headers }).map(
    ([name, value]) => `, ${snake(name)}=${typeof value === 'boolean' ? pascal(String(value)) : JSON.stringify(value)}`,
  )

const openapiPythonClient = {
  name: 'openapi-python-client',
  needs: ['python'],
  made: async ({ file, folder, design }) => {
    const config = join(folder, 'config.yml')
    writeFileSync(config, 'post_hooks: []\n')
    const to = join(folder, packageOf(design))
    await python(
      'openapi-python-client',
      'generate',
      '--path',
      file,
      '--output-path',
      to,
      '--meta',
      'none',
      '--overwrite',
      '--config',
      config,
    )
  },
  program: (name, calls) => `${importing(name)}
from ${name} import AuthenticatedClient, models
client = AuthenticatedClient(base_url=url, token=key)

def answered(response):
    told(response.status_code, response.content, response.parsed.to_dict())

${calls
  .map((each) => {
    // It makes no type of a union, but of each of its parts.
    const { call, tag, schema, as = schema, body } = each
    const given = body === undefined ? '' : `, body=made(models.${as}, ${text(body)})`
    return `from ${name}.api.${snake(tag)} import ${snake(call)}\nanswered(${snake(call)}.sync_detailed(client=client${given}${argumentsOf(each).join('')}))`
  })
  .join('\n')}
`,
}

const openapiGenerator = {
  name: 'openapi-generator (Python)',
  needs: ['python', 'java'],
  made: async ({ file, folder, design }) => {
    const parts = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'
    const to = ['-o', folder, '--package-name', packageOf(design), '--global-property', parts]
    await python('openapi-generator-cli', 'generate', '-g', 'python', '-i', file, ...to)
  },
  program: (name, calls) => `${importing(name)}
client = ${name}.ApiClient(${name}.Configuration(host=url, access_token=key))

def answered(call):
    try:
        answer = call()
        told(answer.status_code, answer.raw_data, answer.data.to_dict())
    except ${name}.ApiException as problem:
        told(problem.status, problem.body, problem.data.to_dict())

${calls
  .map((each) => {
    const { call, tag, schema, body } = each
    const given = [
      ...(body === undefined ? [] : [`made(${name}.${schema}, ${text(body)})`]),
      ...argumentsOf(each).map((one) => one.slice(2)),
    ]
    return `answered(lambda: ${name}.${pascal(tag)}Api(client).${snake(call)}_with_http_info(${given.join(', ')}))`
  })
  .join('\n')}
`,
}

/** A client of Python, whose modules are imported before its calls. */
const client = ({ name, needs, made, program }) => ({
  name,
  needs,
  make: async (told) => {
    await made(told)
    const calls = callsOf(told.document, told.calls, told.client)
    writeFileSync(join(told.folder, 'calls.py'), `${runner}\n${program(packageOf(told.design), calls)}`)
  },
  compile: async () => '',
  call: ({ folder }, ...argv) => ranPython('python', join(folder, 'calls.py'), ...argv),
})

export const pythonClients = [openapiPythonClient, openapiGenerator].map(client)
