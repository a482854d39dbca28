import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../app/service.ts'
import { actAs, useActing, useActingFailure } from './permitted.ts'

/** The user as whom flows are run. What this user may not do has no button. */
export function ActingAs({
  design,
  label,
  isWanted = false,
}: {
  readonly design: string
  readonly label: string
  readonly isWanted?: boolean
}) {
  const { data: session } = useQuery(sessionQuery)
  const acting = useActing(design)
  const failure = useActingFailure(design)
  const isOperator = session?.purpose === 'operator'
  // A person acts as itself.
  if (session?.person !== undefined) return null
  return (
    <TextInput
      label={label}
      description={isOperator ? 'Without one you act as an operator.' : 'By id or e-mail. It needs the permission.'}
      withAsterisk={!isOperator}
      w={{ base: '100%', xs: 260 }}
      value={acting}
      autoComplete="off"
      error={failure ?? (isWanted && !isOperator && acting === '' ? 'Fill this in.' : undefined)}
      onChange={({ currentTarget: { value } }) => actAs(design, value)}
    />
  )
}
