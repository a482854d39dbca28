import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callsOf, pascal } from '../documents.js'
import { go, here, python, ran } from '../tools.js'

const runner = readFileSync(new URL('told.go', import.meta.url), 'utf8')
const text = (value) => `\`${JSON.stringify(value)}\``

const oapiCodegen = {
  name: 'oapi-codegen',
  needs: ['go'],
  made: ({ file, folder }) =>
    go('tool', 'oapi-codegen', '-generate', 'types,client', '-package', 'client', '-o', join(folder, 'client.go'), file),
  program: (calls) => `
func with(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+key)
	return nil
}

// The answer, or the problem: the one member of them all that is there.
func answered(response any, err error) {
	must(err)
	each := reflect.ValueOf(response).Elem()
	var typed any
	for index := range each.NumField() {
		name := each.Type().Field(index).Name
		if (strings.HasPrefix(name, "JSON") || strings.HasPrefix(name, "Application")) && !each.Field(index).IsNil() {
			typed = each.Field(index).Interface()
		}
	}
	told(each.FieldByName("HTTPResponse").Interface().(*http.Response).StatusCode, each.FieldByName("Body").Bytes(), typed)
}

func main() {
	ctx := context.Background()
	its, err := client.NewClientWithResponses(url, client.WithRequestEditorFn(with))
	must(err)
${calls
  .map(({ call, body, query, headers, takesParameters }) => {
    const name = pascal(call)
    const parameters = takesParameters ? `, made[*client.${name}Params](${text({ ...query, ...headers })})` : ''
    const given = body === undefined ? '' : `, made[client.${name}JSONRequestBody](${text(body)})`
    return `\tanswered(its.${name}WithResponse(ctx${parameters}${given}))`
  })
  .join('\n')}
}
`,
  imports: ['context', 'reflect', 'strings'],
}

const openapiGenerator = {
  name: 'openapi-generator (Go)',
  needs: ['go', 'python', 'java'],
  made: ({ file, folder }) => {
    const parts = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'
    const named = ['--package-name', 'client', '--additional-properties', 'withGoMod=false', '--global-property', parts]
    return python('openapi-generator-cli', 'generate', '-g', 'go', '-i', file, '-o', folder, ...named)
  },
  program: (calls) => `
func answered(typed any, response *http.Response, err error) {
	if problem, is := err.(*client.GenericOpenAPIError); is && problem.Model() != nil {
		told(response.StatusCode, problem.Body(), problem.Model())
		return
	}
	must(err)
	raw, err := io.ReadAll(response.Body)
	must(err)
	told(response.StatusCode, raw, typed)
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: url}}
	its := client.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, key)
${calls
  .map(({ call, tag, schema, body, query = {}, headers = {} }) => {
    const given = body === undefined ? '' : `.${schema}(made[client.${schema}](${text(body)}))`
    const parameters = Object.entries({ ...query, ...headers }).map(([name, value]) => `.${pascal(name)}(${JSON.stringify(value)})`)
    return `\tanswered(its.${pascal(tag)}API.${pascal(call)}(ctx)${given}${parameters.join('')}.Execute())`
  })
  .join('\n')}
}
`,
  imports: ['context', 'io'],
}

/** A client of Go, with a program that makes its calls. */
const client = ({ name, needs, made, program, imports }) => ({
  name,
  needs,
  make: async (told) => {
    const folder = join(told.folder, 'client')
    mkdirSync(folder, { recursive: true })
    await made({ ...told, folder })
    const calls = callsOf(told.document, told.calls, told.client)
    const own = [...imports.map((each) => `"${each}"`), `client "contract/dist/clients/${told.place}/client"`].join('\n\t')
    writeFileSync(join(told.folder, 'main.go'), `${runner.replace('import (', `import (\n\t${own}`)}${program(calls)}`)
  },
  compile: async ({ folder }) => (await ran('go', ['build', '-o', join(folder, 'calls'), `./${folder.slice(here.length)}`])).stderr,
  call: ({ folder }, ...argv) => ran(join(folder, 'calls'), argv),
})

export const goClients = [oapiCodegen, openapiGenerator].map(client)
