// For a page of your own, in a browser without Apple Pay: the simulated session under Apple's names. It has to run before the page's
// own module, which then finds Apple Pay.

import { SimulatedApplePayError, simulatedApplePaySession } from '/_dev/simulated-apple-pay-session.js'

const style = document.createElement('link')
Object.assign(style, { rel: 'stylesheet', href: '/_dev/sheet.css' })
document.head.append(style)
globalThis.ApplePaySession ??= simulatedApplePaySession()
globalThis.ApplePayError ??= SimulatedApplePayError
