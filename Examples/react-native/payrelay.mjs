// Pays an order with what a library for Apple Pay hands over: React Native, Capacitor, Cordova. It needs `fetch` and nothing else.

const seconds = 60

/** What became of a payment: show `paid` as paid, `refused` with another card, and `uncertain` as being checked. */
export const meaning = { captured: 'paid', authorized: 'paid', declined: 'refused', not_processed: 'refused' }

/**
 * @param relay the relay's address: https://pay.example.com
 * @param orderToken what your backend signed for this order
 * @param order the fields that the order token pins, and the customer's: command, merchant_reference, amount, currency, language, customer_email
 * @param token what the library handed over, unchanged
 * @returns {Promise<{result: 'paid' | 'refused' | 'uncertain', payment?: object, problem?: object}>}
 */
export async function pay(relay, orderToken, order, token) {
  // One body for every attempt: the relay charges a reference once, and answers the same bytes with the same answer.
  const body = JSON.stringify({ ...order, token })
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(`${relay}/v1/payments`, orderToken, body)
    if (answer?.status === 200) return { result: meaning[answer.json.outcome] ?? 'uncertain', payment: answer.json }
    if (answer?.status === 202) return { result: 'uncertain', payment: answer.json }
    // An earlier request paid, or may have paid, under this reference or with this token: read that payment.
    if (['reference-taken', 'token-used'].includes(answer?.json.type?.split(':').pop())) {
      return { result: 'uncertain', problem: answer.json }
    }
    const mayHelp = !answer || [408, 409, 429].includes(answer.status) || answer.status >= 500
    if (!mayHelp) return { result: 'refused', problem: answer.json }
    // Apple's sheet waits for about 30 seconds. It is not known yet whether the customer paid.
    if (attempt === 3) return { result: 'uncertain', problem: answer?.json }
    await new Promise((resolve) => setTimeout(resolve, 1000 * attempt))
  }
}

/** Nothing if no answer of the relay came. */
async function send(url, orderToken, body) {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), seconds * 1000)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(orderToken && { Authorization: `Bearer ${orderToken}` }) },
      body,
      signal: abort.signal,
    })
    return { status: answer.status, json: await answer.json() }
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
