//! Writes the Verilog of a design into a folder: `emit SYSTEM N WIDTH DIR [ALGORITHM]`.
use frit_cells::{design, netlist::print};
use frit_schedule::{Request, plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut request = Request::new(&args[0], args[1].parse()?);
    if let Some(algorithm) = args.get(4) {
        request = request.with("algorithm", algorithm);
    }
    let plan = plan(&request)?;
    let width = args[2].parse()?;
    std::fs::create_dir_all(&args[3])?;
    for file in print::files(&design::build(&plan, width)) {
        std::fs::write(format!("{}/{}", args[3], file.name), file.text)?;
    }
    Ok(())
}
