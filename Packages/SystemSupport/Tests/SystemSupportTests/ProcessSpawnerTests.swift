import Glibc
import SystemSupport
import Testing

@Suite struct ProcessSpawnerTests {
    @Test func `A program found in PATH receives its arguments unchanged`() throws {
        let result = try run(["printf", "%s|", "a b", "$HOME", "*"])
        #expect(result == Result(output: "a b|$HOME|*|", code: 0))
    }

    @Test func `Standard input and output are the given descriptors`() throws {
        let input = Pipe()
        _ = [UInt8]("hello".utf8).withUnsafeBytes { write(input.writer, $0.baseAddress, $0.count) }
        let result = try run(["head", "-c", "5"]) { $0.input = .descriptor(input.reader) }
        #expect(result == Result(output: "hello", code: 0))
    }

    @Test func `Standard error goes to a new file that only its owner can read`() throws {
        var name = Array("/tmp/SystemSupport-XXXXXX".utf8CString)
        close(mkstemp(&name))
        let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        unlink(path)
        defer { unlink(path) }
        let result = try run(["sh", "-c", "echo wrong >&2; exit 3"]) {
            $0.errors = .file(path, flags: O_WRONLY | O_CREAT)
        }
        #expect(result == Result(output: "", code: 3))
        #expect(try run(["cat", path]).output == "wrong\n")
        #expect(try run(["stat", "-c", "%a", path]).output == "600\n")
    }

    @Test func `Standard input, output, and error are /dev/null unless set`() throws {
        let spawner = ProcessSpawner([
            "sh", "-c",
            """
            for stream in 0 1 2; do
                [ "$(readlink /proc/$$/fd/$stream)" = /dev/null ] || exit 1
            done
            cat
            """,
        ])
        #expect(exitCode(of: try spawner.spawn()) == 0)
    }

    @Test func `Open descriptors of this process are not inherited`() throws {
        let open = Pipe()
        let result = try run(["sh", "-c", "[ -e /proc/$$/fd/\(open.reader) ]; echo $?"])
        #expect(result.output == "1\n")
    }

    @Test func `The environment is that of this process, or the given one`() throws {
        setenv("SYSTEM_SUPPORT_TEST", "ours", 1)
        let script = ["/bin/sh", "-c", "echo $SYSTEM_SUPPORT_TEST$OTHER"]
        #expect(try run(script).output == "ours\n")
        #expect(try run(script) { $0.environment = ["OTHER": "given"] }.output == "given\n")
        #expect(try run(script) { $0.environment = [:] }.output == "\n")
    }

    @Test func `SIGPIPE is neither blocked nor ignored in a new process`() throws {
        signal(SIGPIPE, SIG_IGN)
        // SystemThread blocks it.
        let status = try ThreadResult {
            Swift.Result { try run(["cat", "/proc/self/status"]).output }
        }
        let lines = try status.value.get().split(separator: "\n")
        for name in ["SigBlk:", "SigIgn:"] {
            let line = try #require(lines.first { $0.hasPrefix(name) })
            let mask = try #require(UInt64(line.dropFirst(name.count + 1), radix: 16))
            #expect(mask & 1 << UInt64(SIGPIPE - 1) == 0, "\(line)")
        }
    }

    @Test(arguments: [nil, false, true])
    func `A new session is started only on request`(startsSession: Bool?) throws {
        // Fields 1 and 6 of stat are the ids of the process and the session.
        let result = try run(["cut", "-d", " ", "-f", "1,6", "/proc/self/stat"]) {
            if let startsSession { $0.startsSession = startsSession }
        }
        let ids = result.output.split { " \n".contains($0) }
        #expect(ids.count == 2)
        #expect((ids.first == ids.last) == (startsSession ?? false))
    }

    @Test func `A program that does not exist is an error`() {
        #expect(throws: SystemError(code: ENOENT)) {
            try ProcessSpawner(["/nonexistent/program"]).spawn()
        }
        #expect(throws: SystemError(code: EINVAL)) { try ProcessSpawner([]).spawn() }
    }
}

private struct Result: Equatable {
    var output: String
    var code: Int32
}

/// Runs a program until it exits.
private func run(
    _ words: [String],
    _ configure: (inout ProcessSpawner) -> Void = { _ in }
) throws -> Result {
    let pipe = Pipe()
    var spawner = ProcessSpawner(words)
    spawner.output = .descriptor(pipe.writer)
    configure(&spawner)
    let id = try spawner.spawn()
    let code = exitCode(of: id)
    // The output fits into the pipe, so the program could exit before it was read.
    return Result(output: String(decoding: pipe.readAvailable(), as: UTF8.self), code: code)
}

private func exitCode(of id: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return (status >> 8) & 0xFF
}
