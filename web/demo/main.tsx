import { startPage } from '../start-page.tsx'
import { DemoNotice } from './demo-notice.tsx'
import { openDemo } from './open-demo.ts'

startPage({
  // web/inline/demo-base.js has set it to the folder of the page.
  basename: new URL(document.baseURI).pathname,
  async open() {
    const demo = await openDemo()
    return { services: demo.services, above: <DemoNotice demo={demo} /> }
  },
})
