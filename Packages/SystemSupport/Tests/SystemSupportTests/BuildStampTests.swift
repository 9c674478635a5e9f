import Testing

@testable import SystemSupport

struct BuildStampTests {
    @Test func `A stamp begins with the version`() {
        let stamp = BuildStamp("1.2.3-rc.1 (1f2e3d4c5b6a, 2026-11-24)")
        #expect(stamp.version == "1.2.3-rc.1")
        #expect(stamp.description == "1.2.3-rc.1 (1f2e3d4c5b6a, 2026-11-24)")
    }

    @Test func `A stamp without a commit is only the version`() {
        #expect(BuildStamp("1.2.3").version == "1.2.3")
        #expect(BuildStamp("1.2.3").description == "1.2.3")
    }

    @Test func `A program that was only compiled has version 0.0.0`() {
        #expect(BuildStamp.current.version == "0.0.0")
        #expect(BuildStamp.current.description == "0.0.0 (development)")
    }
}
