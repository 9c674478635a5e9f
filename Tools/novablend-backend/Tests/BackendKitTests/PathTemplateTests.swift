import Testing

@testable import BackendKit

@Suite("The path of a route")
struct PathTemplateTests {
    @Test(
        "matches exactly, and a parameter is one segment that is not empty",
        arguments: [
            ("/salons", "/salons", ""), ("/salons", "/salons/", nil), ("/salons", "//salons", nil),
            ("/salons", "salons", nil), ("/salons", "/Salons", nil), ("/salons", "/salon", nil),
            ("/salons", "/salonss", nil), ("/salons/{id}", "/salons/a", "a"),
            ("/salons/{id}", "/salons/", nil), ("/salons/{id}", "/salons", nil),
            ("/salons/{id}", "/salons/a/", nil), ("/salons/{id}", "/salons/a/b", nil),
            ("/salons/{id}", "/salons/é ?", "é ?"),
            ("/salons/{id}/slots", "/salons/a/slots", "a"),
            ("/salons/{id}/slots", "/salons//slots", nil),
            ("/salons/{id}/slots", "/salons/slots", nil),
            ("/salons/{id}/slots", "/salons/a/b/slots", nil),
            ("/salons/{id}/slots", "/salons/a/slots/", nil),
        ] as [(String, String, String?)]
    )
    func matches(template: String, path: String, value: String?) {
        #expect(PathTemplate(template).match(path) == value)
    }

    @Test("may end with a parameter that contains slashes")
    func restOfPath() {
        let template = PathTemplate("/keys/{key}", isRestOfPath: true)
        for (path, value) in [
            ("/keys/a", "a"), ("/keys/a/b", "a/b"), ("/keys//", "/"), ("/keys/", nil),
            ("/keys", nil),
        ] as [(String, String?)] {
            #expect(template.match(path) == value, "\(path)")
        }
        #expect(template.parameter == "key" && template.description == "/keys/{key}")
    }
}
