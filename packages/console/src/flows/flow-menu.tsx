import { Button, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ToldDesign, words } from '../app/told.ts'
import { usePermitted } from './permitted.ts'
import { isDangerous, type OfferedFlow } from './told-flows.ts'

/** The flows that are about an item, each with its page. */
export function FlowMenu({ design, offered: all }: { readonly design: ToldDesign; readonly offered: readonly OfferedFlow[] }) {
  const offered = usePermitted(design.form.design, all)
  if (offered.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">Do …</Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {offered.map(({ flow, given }) => (
          <Menu.Item
            key={flow.name}
            {...(isDangerous(flow) ? { color: 'red' } : {})}
            renderRoot={(props: object) => (
              <Link {...props} to="/$design/flow/$flow" params={{ design: design.form.design, flow: flow.name }} search={given} />
            )}
          >
            {words(flow.name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
