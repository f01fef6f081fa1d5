/// Stylesheet of the service's HTML pages: the colours, light and dark as the browser prefers, and charts. CSS, UTF-8.
package enum PageStyle {
    package static var bytes: [UInt8] { PackageResources.page_css }
}
