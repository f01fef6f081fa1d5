/// The module for checkout pages, in the binary itself: `payrelay.js` beside this file, and its TypeScript declarations. UTF-8.
public enum WebAssets {
    public static var module: [UInt8] { PackageResources.payrelay_js }
    public static var declarations: [UInt8] { PackageResources.payrelay_d_ts }
}
