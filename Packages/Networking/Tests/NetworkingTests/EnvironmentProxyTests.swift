import Testing

@testable import Networking

@Suite("Proxy of the environment")
struct EnvironmentProxyTests {
    @Test(
        "These variables set a proxy for a scheme",
        arguments: [
            ("http_proxy", true, false), ("HTTP_PROXY", false, false), ("all_proxy", true, true),
            ("ALL_PROXY", true, true), ("https_proxy", false, true), ("HTTPS_PROXY", false, true),
            ("no_proxy", false, false),
        ]
    )
    func variables(name: String, isSetForHTTP: Bool, isSetForHTTPS: Bool) {
        let proxy = { (value: String) in { (variable: String) in variable == name ? value : nil } }
        #expect(EnvironmentProxy.isSet(for: "http", variable: proxy("a")) == isSetForHTTP)
        #expect(EnvironmentProxy.isSet(for: "https", variable: proxy("a")) == isSetForHTTPS)
        for scheme in ["http", "https"] {
            #expect(!EnvironmentProxy.isSet(for: scheme, variable: proxy("")))
        }
    }
}
