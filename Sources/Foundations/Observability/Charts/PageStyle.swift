/// The stylesheet of the service's HTML pages: the colours, light or dark as the browser prefers, and the charts.
/// CSS, UTF-8.
package enum PageStyle {
    package static var bytes: [UInt8] { PackageResources.page_css }
}
