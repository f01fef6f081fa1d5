/// ISO 4217's numeric codes: Apple's payment data names a currency by number, everybody else by letters.
public enum NumericCurrencyCode {
    /// Three digits for three letters; nil where the currency is not in the table.
    public static func of(_ currency: String) -> String? {
        table[currency]
    }

    private static let table = [
        "AED": "784", "AUD": "036", "BDT": "050", "BHD": "048", "BRL": "986", "CAD": "124", "CHF": "756",
        "CNY": "156", "CZK": "203", "DKK": "208", "DZD": "012", "EGP": "818", "EUR": "978", "GBP": "826",
        "GEL": "981", "HKD": "344", "HUF": "348", "IDR": "360", "ILS": "376", "INR": "356", "IQD": "368",
        "JOD": "400", "JPY": "392", "KES": "404", "KRW": "410", "KWD": "414", "KZT": "398", "LBP": "422",
        "LKR": "144", "LYD": "434", "MAD": "504", "MXN": "484", "MYR": "458", "NGN": "566", "NOK": "578",
        "NZD": "554", "OMR": "512", "PHP": "608", "PKR": "586", "PLN": "985", "QAR": "634", "RON": "946",
        "SAR": "682", "SEK": "752", "SGD": "702", "THB": "764", "TND": "788", "TRY": "949", "TWD": "901",
        "UAH": "980", "USD": "840", "VND": "704", "ZAR": "710",
    ]
}
