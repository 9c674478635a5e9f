import CivilTime
import Testing

@Suite("Names of time zones")
struct ZoneIDTests {
    @Test(
        "a name of the database is valid",
        arguments: [
            "UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "Etc/GMT-9",
            "azAZ09", String(repeating: "a", count: 64),
        ]
    )
    func valid(_ name: String) {
        #expect(ZoneID(name)?.description == name)
    }

    @Test(
        "a name that could refer to a file outside a directory, or is not allowed for zones, is nil",
        arguments: [
            "", "/etc/passwd", "../zoneinfo/UTC", "Europe/../UTC", "Europe//Berlin", "Europe/",
            ".", "a.b", "Europe/Berlin\0", "Zürich", String(repeating: "a", count: 65),
            "a`", "a{", "A@", "A[", "0:", "a b",
        ]
    )
    func invalid(_ name: String) {
        #expect(ZoneID(name) == nil)
    }
}
