import { Alert, Button, Center, Code, Divider, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { browserSession, enter, farewell, keepAddress, waysQuery } from './service.ts'
import { Failed, Nothing } from './states.tsx'

/** How people sign in here, each as a button that leads to its own page. */
function Ways() {
  const ways = useQuery(waysQuery)
  if (ways.isError) return <Failed error={ways.error} again={ways.refetch} />
  if (ways.data === undefined || ways.data.length === 0) return null
  return (
    <>
      {ways.data.map(({ name, label, to }) => (
        <Button key={name} component="a" href={to} onClick={keepAddress}>
          Sign in with {label}
        </Button>
      ))}
      <Divider label="or with an API key" />
    </>
  )
}

/** People sign in by their issuers. A key is changed for a session: it is sent once, and kept nowhere. */
export function SignIn({ failure }: { readonly failure: unknown }) {
  const [key, setKey] = useState('')
  const signIn = useMutation({
    mutationFn: () => browserSession.open({ key: key.trim() }),
    onSuccess: enter,
  })
  const { data: ways = [] } = useQuery(waysQuery)
  const error = signIn.error ?? failure
  const left = farewell()
  // A browser sends no secure cookie without TLS, and the key would be read on its way.
  if (!isSecureContext)
    return (
      <Center mih="100dvh" component="main">
        <Nothing isScreen title="This needs https">
          Beyond its own machine the console is behind TLS: open it at an https address.
        </Nothing>
      </Center>
    )
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={420} shadow="sm">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            signIn.mutate()
          }}
        >
          <Stack>
            <Title order={1} size="h3">
              Open the console
            </Title>
            {left !== undefined && error == null && (
              <Alert color="gray" role="status">
                {left}
              </Alert>
            )}
            <Ways />
            <Text size="sm" c="dimmed">
              On this machine <Code>npx freehold console</Code> makes a link that opens it. Elsewhere, give an API key. This browser does
              not keep it.
            </Text>
            <PasswordInput
              label="API key"
              placeholder="fhk_…"
              autoComplete="off"
              required
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
            />
            {error !== null && error !== undefined && <Failed error={error} />}
            <Button type="submit" variant={ways.length > 0 ? 'default' : 'filled'} loading={signIn.isPending}>
              Open
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  )
}
