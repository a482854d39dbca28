import { Badge, Group, Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { itemQuery } from '../../app/service.ts'
import { Failed, Nothing, Waiting } from '../../app/states.tsx'
import { Told } from '../../app/value.tsx'

interface Step {
  readonly step: string
  readonly outcome: string
  readonly reason?: string
}

/** An account was provisioned lately: its report may still grow. */
const lately_ms = 30_000
const again_ms = 2_000

/** What a provisioning has done, step by step, as it is done. The report is in the table: a reload, and another browser, see the same. */
export function ProvisioningReport({ design, account }: { readonly design: string; readonly account: string }) {
  const report = useQuery({
    ...itemQuery(design, 'Provisioning', { accountId: account }),
    refetchInterval: ({ state: { data } }) => (Date.now() - Date.parse(String(data?.updatedAt ?? 0)) < lately_ms ? again_ms : false),
  })
  if (report.isPending) return <Waiting of="the report" />
  if (report.isError) return <Failed error={report.error} again={report.refetch} />
  if (report.data === null)
    return <Nothing title="It was not provisioned here">Its items were written one by one, or by another program.</Nothing>
  // The entity has these steps.
  const steps = (Array.isArray(report.data.steps) ? report.data.steps : []) as readonly Step[]
  return (
    <Timeline active={steps.length} bulletSize={14} lineWidth={2} color="teal" component="ol" className="chain">
      {steps.map(({ step, outcome, reason }) => (
        <Timeline.Item
          key={step}
          component="li"
          color={outcome === 'failed' ? 'red' : 'teal'}
          title={
            <Group gap="xs">
              <bdi className="whole">{step}</bdi>
              <Badge variant="dot" color={outcome === 'failed' ? 'red' : 'teal'}>
                {outcome}
              </Badge>
            </Group>
          }
        >
          {reason !== undefined && (
            <Text size="sm">
              <Told text={reason} />
            </Text>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  )
}
