// Shows which certificate authority the phone is about to trust.

const response = await fetch('/_dev/ca.json')
const { name, sha256 } = await response.json()
document.querySelector('#authority').textContent = `${name}\nSHA-256 ${sha256}`
