import { Button, Center, Code, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { browserSession, enter } from './service.ts'
import { Failed, Nothing } from './states.tsx'

/** Changes a key for a session. The key is sent once, and kept nowhere. */
export function SignIn({ failure }: { readonly failure: unknown }) {
  const [key, setKey] = useState('')
  const signIn = useMutation({
    mutationFn: () => browserSession.open({ key: key.trim() }),
    onSuccess: enter,
  })
  const error = signIn.error ?? failure
  // A browser sends no secure cookie without TLS, and the key would be read on its way.
  if (!isSecureContext)
    return (
      <Center mih="100dvh" component="main">
        <Nothing title="This needs https">Beyond its own machine the console is behind TLS: open it at an https address.</Nothing>
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
            <Button type="submit" loading={signIn.isPending}>
              Open
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  )
}
