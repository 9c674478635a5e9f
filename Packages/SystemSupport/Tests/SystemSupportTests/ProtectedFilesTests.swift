import Foundation
import SystemSupport
import SystemTestSupport
import Testing

@Suite("Protected files")
struct ProtectedFilesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write([1], to: "data")
        try directory.write([2], to: "other")
        try directory.makeDirectory("real/inner")
        try directory.write([3], to: "real/inner/entry")
    }

    private func path(_ name: String) -> String { directory.file(name) }

    @Test("a file meets every output whose path leads to it, whatever that path is")
    func paths() throws {
        let data = path("data")
        let protected = ProtectedFiles(files: [data])
        try directory.link("link", to: data)
        try directory.link("relative", to: "data")
        try directory.link("second", to: "link")
        try directory.link("folder", to: directory.path)
        #expect(link(data, path("hard")) == 0)
        let names = [
            "data", "link", "relative", "second", "hard", "folder/data", "folder/relative",
            "./data", "real/../data", "real/inner/../../hard",
        ]
        for name in names { #expect(protected.conflict(with: path(name)) == data, "\(name)") }
        for name in ["other", "data2", "missing", "real/data", "none/data", "folder", "data/"] {
            #expect(protected.conflict(with: path(name)) == nil, "\(name)")
        }
    }

    @Test("a file that does not exist yet is protected by its directory and name")
    func missing() throws {
        let protected = ProtectedFiles(files: [path("future")])
        try directory.link("link", to: path("future"))
        try directory.link("folder", to: directory.path)
        for name in ["future", "link", "folder/future", "folder/link", "real/../future"] {
            #expect(protected.conflict(with: path(name)) == path("future"), "\(name)")
        }
        #expect(protected.conflict(with: path("real/future")) == nil)
    }

    @Test("a link that leads to a protected file, and one that leads in a circle, end the search")
    func links() throws {
        try directory.link("link", to: path("data"))
        try directory.link("circle", to: path("circle"))
        // A program that opens the link needs both the link and the file.
        let protected = ProtectedFiles(files: [path("link")])
        #expect(protected.conflict(with: path("link")) == path("link"))
        #expect(protected.conflict(with: path("data")) == path("link"))
        #expect(protected.conflict(with: path("circle")) == nil)
        #expect(ProtectedFiles(files: [path("circle")]).conflict(with: path("circle")) != nil)
    }

    @Test("everything in a protected directory is protected, however it is reached")
    func directories() throws {
        let protected = ProtectedFiles(files: [], directories: [path("real"), path("none")])
        try directory.link("folder", to: path("real/inner"))
        try directory.link("entry", to: path("real/inner/entry"))
        try directory.link("new", to: path("real/new"))
        for name in ["real/a", "real/inner/entry", "real/inner/b", "folder/b", "entry", "new"] {
            #expect(protected.conflict(with: path(name)) == path("real"), "\(name)")
        }
        for name in ["data", "real", "none/a", "realer"] {
            #expect(protected.conflict(with: path(name)) == nil, "\(name)")
        }
    }

    @Test("an open descriptor is recognized by its file")
    func descriptors() throws {
        let protected = ProtectedFiles(files: [path("data"), path("none")])
        #expect(link(path("data"), path("hard")) == 0)
        for (name, isProtected) in [("data", true), ("hard", true), ("other", false)] {
            let descriptor = open(path(name), O_WRONLY | O_APPEND | O_CLOEXEC)
            #expect((protected.conflict(withOpen: descriptor) != nil) == isProtected, "\(name)")
            close(descriptor)
        }
        #expect(protected.conflict(withOpen: -1) == nil)
    }
}
