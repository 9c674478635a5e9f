import Foundation
import Persistence
import SystemTestSupport
import Testing

@Suite("Named locks")
struct NamedLocksTests {
    private let directory: TemporaryDirectory
    private let locks: NamedLocks

    init() throws {
        directory = try TemporaryDirectory()
        locks = NamedLocks(directory: directory.path, name: "intents")
    }

    @Test("only one owner holds a lock until it is released; other keys and files are independent")
    func exclusive() throws {
        var first = try locks.take("a")
        #expect(first != nil)
        #expect(try locks.take("a") == nil)
        #expect(try NamedLocks(directory: directory.path, name: "intents").take("a") == nil)
        #expect(try locks.take("b") != nil)
        #expect(try NamedLocks(directory: directory.path, name: "others").take("a") != nil)
        first = nil
        #expect(try locks.take("a") != nil)
    }

    @Test("a lock excludes other processes, and a crash of its process releases it")
    func processes() async throws {
        let held = try locks.take("a")
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            let locks = NamedLocks(directory: path, name: "intents")
            let (held, free) = (try locks.take("a"), try locks.take("b"))
            #expect(held == nil && free != nil)
        }
        withExtendedLifetime(held) {}
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let lock = try NamedLocks(directory: path, name: "intents").take("c")
            try #require(lock != nil)
            kill(getpid(), SIGKILL)
            withExtendedLifetime(lock) {}
        }
        #expect(try locks.take("c") != nil)
    }

    @Test("any number of locks can be held at the same time, whatever the limit on descriptors")
    func many() async throws {
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            let locks = NamedLocks(directory: path, name: "intents")
            var held = try (0..<200).map { try locks.take("\($0)") }
            #expect(held.allSatisfy { $0 != nil })
            let others = NamedLocks(directory: path, name: "intents")
            #expect(try locks.take("7") == nil && others.take("7") == nil)
            held[7] = nil
            #expect(try others.take("7") != nil)
            #expect(try others.take("8") == nil)
            withExtendedLifetime(held) {}
        }
    }

    @Test("a lock can be taken after the file of a lock that is still held was deleted")
    func deletedFile() throws {
        let first = try locks.take("a")
        try directory.remove("intents.locks")
        let (second, third) = (try locks.take("a"), try locks.take("b"))
        #expect(first != nil && second != nil && third != nil)
        #expect(try NamedLocks(directory: directory.path, name: "intents").take("a") == nil)
        withExtendedLifetime((first, second, third)) {}
    }

    @Test("a released lock is free even while a forked child has a copy of its descriptor")
    func forked() throws {
        var lock = try locks.take("a")
        #expect(lock != nil)
        // Copies of all descriptors, as fork would make them, but without a process.
        let copies = (3..<64).map { dup($0) }.filter { $0 >= 0 }
        defer { for copy in copies { close(copy) } }
        lock = nil
        #expect(try locks.take("a") != nil)
    }

    @Test(
        "only this user can access the file; a link of its name and a long name are errors"
    )
    func insecure() throws {
        _ = try locks.take("a")
        let file = directory.path + "/intents.locks"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(
            atPath: file,
            withDestinationPath: directory.path + "/elsewhere"
        )
        #expect(throws: StoreError.self) { try locks.take("a") }
        #expect(throws: StoreError.self) {
            let name = String(repeating: "x", count: 201)
            _ = try NamedLocks(directory: directory.path, name: name).take("a")
        }
    }
}
