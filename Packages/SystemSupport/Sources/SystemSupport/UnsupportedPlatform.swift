// Every library has this file, or depends on a library that has it; Tools/Scripts/platforms.py checks that.
#if !os(Linux) || !canImport(Glibc) || !(arch(x86_64) || arch(arm64))
    #error("NovaBlend supports only Linux with glibc on x86-64 or arm64; see README.md")
#endif
