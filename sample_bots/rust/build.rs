//! Makes the stubs from `proto/` at the top of the repository, without a `protoc`.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let protos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    println!("cargo::rerun-if-changed={}", protos.join("kitumaija").display());
    let files = protox::compile(["kitumaija/v1/arena.proto"], [protos])?;
    tonic_prost_build::configure().build_server(false).build_transport(false).compile_fds(files)?;
    Ok(())
}
